import base from "../playwright.config";

// How fast the page answers, for bench/web.md.
export default { ...base, testDir: ".", testMatch: "times*.ts", workers: 1, webServer: { ...base.webServer, cwd: ".." } };
