import { expect, test } from "vitest";
import { read, write } from "./link";

test("a link that is written is read as the same", () => {
  for (const query of [
    "roll=4d6kh3",
    "roll=4d6kh3&roll=sum+3d6&in=troll&as=Classic&show=at-least&chart=lines&at=15",
    "roll=d20%2B@bonus&set=bonus:-2&sweep=bonus:0..10..2&ask=at-least:15",
    "roll=d6&embed=1",
    "",
  ]) {
    expect(write(read(query))).toBe(query);
  }
});

test("what makes no sense in a link is left out", () => {
  const found = read("in=troll&roll=d6&show=sideways&chart=pie&set=x:1.5&set=:3&set=y:7&sweep=y:9..1&embed=yes&roll=");
  expect(found.rolls).toEqual([{ text: "d6", notation: "tabletop", name: "" }, { text: "", notation: "tabletop", name: "" }]);
  expect(found).toMatchObject({ measure: "exactly", shape: "bars", vars: { y: 7 }, sweep: null, embed: false });
  expect(read("roll=d6&".repeat(50)).rolls).toHaveLength(6);
});
