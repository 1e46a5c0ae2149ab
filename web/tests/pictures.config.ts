import base from "../playwright.config";

// `cargo xtask web pictures`: the screenshots of README.md and the book, and those of a first visit on a phone.
export default { ...base, testDir: ".", testMatch: "pictures*.ts", workers: 1, webServer: { ...base.webServer, cwd: ".." } };
