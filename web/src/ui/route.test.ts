import { expect, test } from "vitest";
import { below, routed, type Route } from "./route";

test.each([
  ["/", "/", ""],
  ["/index.html", "/", ""],
  ["/t/harbour-7", "/", "t/harbour-7"],
  ["/t/harbour-7/overlay/", "/", "t/harbour-7/overlay"],
  ["/sub/folder/", "/sub/folder/", ""],
  ["/sub/folder/t/harbour-7", "/sub/folder/", "t/harbour-7"],
])("%s below %s is %j", (pathname, base, path) => {
  expect(below(pathname, base)).toBe(path);
});

test("the first route that knows an address has it, and the playground the rest", () => {
  const load = async () => ({ default: "" });
  const routes: Route<string>[] = [
    { name: "Scripts", is: (_, query) => query.has("script"), load },
    { name: "Table", is: (path) => path.startsWith("t/"), load },
  ];
  expect(routed(routes, "/", "?script=abc")?.name).toBe("Scripts");
  expect(routed(routes, "/t/harbour-7", "")?.name).toBe("Table");
  expect(routed(routes, "/", "?roll=4d6kh3")).toBeNull();
});
