// The content security policy: written once, for the page itself (`<meta>`), the tests and the program's server, which
// reads it from `policy.txt` in the built folder.

const RULES = [
  ["default-src", "'none'"],
  ["script-src", "'self' 'wasm-unsafe-eval'"],
  ["style-src", "'self'"],
  ["img-src", "'self' data: blob:"],
  ["connect-src", "'self'"],
  ["worker-src", "'self'"],
  ["manifest-src", "'self'"],
  ["base-uri", "'none'"],
  ["form-action", "'self'"],
];

/**
 * @param {{ header: boolean, embed?: boolean }} how whether it is a header, and whether the page may be in a frame
 */
export function policy({ header, embed = false }) {
  const ancestors = header && !embed ? [["frame-ancestors", "'none'"]] : [];
  return [...RULES, ...ancestors].map((rule) => rule.join(" ")).join("; ");
}
