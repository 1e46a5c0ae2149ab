import { expect, test } from "vitest";
import { padded } from "./pad";

test.each([
  ["", 20, "d20"],
  ["d6", 6, "2d6"],
  ["9d6", 6, "10d6"],
  ["d20", 6, "d20 + d6"],
  ["d20 + 2d6", 6, "d20 + 3d6"],
  ["d20 +", 6, "d20 + d6"],
  ["4d6kh3", 6, "4d6kh3 + d6"],
  ["d100", 10, "d100 + d10"],
])("%j and a d%d is %j", (text, faces, expected) => {
  expect(padded(text, faces)).toBe(expected);
});
