// Makes the page work offline. Files with a hash in their name never change, so they come from the cache; the page itself
// comes from the network if there is one. Other requests, such as those to a server's API, are left alone.

const CACHE = "tumble-__VERSION__";
const FILES = __FILES__;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("tumble-") && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length);
  if (path.startsWith("assets/")) event.respondWith(kept(request));
  else if (path === "" || path === "index.html" || FILES.includes(`./${path}`)) event.respondWith(fresh(request, path));
});

async function kept(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

async function fresh(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(path === "" || path === "index.html" ? "./" : `./${path}`);
    if (found) return found;
    throw error;
  }
}
