// Pages by their path below the folder of the app, which is the root of a host or any sub-folder. The folder is known from
// where this file was loaded, so addresses that go deeper, such as `t/harbour-7`, find their files too.

/** The folder of the app, with a slash at its end. */
export const BASE: string = import.meta.env.PROD ? new URL(/* @vite-ignore */ "../", import.meta.url).pathname : import.meta.env.BASE_URL;

/** The address of a page or a file of the app. */
export const to = (path: string): string => BASE + path;

/** The path below the folder of the app, without slashes around it. */
export function below(pathname: string, base = BASE): string {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  return path.replace(/^(index\.html)?\/*|\/+$/g, "");
}

export interface Route<Page> {
  /** Its name in the header. */
  name: string;
  /** Whether this address is one of its pages. */
  is: (path: string, query: URLSearchParams) => boolean;
  /** Its code, loaded when it is opened. */
  load: () => Promise<{ default: Page }>;
}

/** The page of an address; none is the playground, which is loaded with the app. */
export function routed<Page>(routes: Route<Page>[], pathname: string, search: string): Route<Page> | null {
  const [path, query] = [below(pathname), new URLSearchParams(search)];
  return routes.find((route) => route.is(path, query)) ?? null;
}
