import { mount } from "svelte";
import App from "./App.svelte";
import { rolls } from "./engine/engine";
import "./app.css";

const target = document.getElementById("app");
if (target) mount(App, { target });
rolls.warm();

// Offline after the first visit, where the browser allows it: on https and on this machine.
if (import.meta.env.PROD && "serviceWorker" in navigator && window.isSecureContext && window.top === window) {
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("./sw.js").catch((error: unknown) => console.warn("offline use is not available", error));
  });
}
