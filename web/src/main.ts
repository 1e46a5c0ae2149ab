import { mount } from "svelte";
import App from "./App.svelte";
import { to } from "./ui/route";
import "./app.css";

const target = document.getElementById("app");
if (target) mount(App, { target });

// Offline after the first visit, where the browser allows it: on https and on this machine.
if (import.meta.env.PROD && "serviceWorker" in navigator && window.isSecureContext && window.top === window) {
  window.addEventListener("load", () => {
    navigator.serviceWorker.register(to("sw.js")).catch((error: unknown) => console.warn("offline use is not available", error));
  });
}
