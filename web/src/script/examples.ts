// The scripts of the repository, with arguments to start from.

const texts = import.meta.glob<string>("../../../examples/scripts/*.tumble", { query: "?raw", import: "default", eager: true });
const args = import.meta.glob<Record<string, unknown>>("../../../examples/scripts/*.json", { import: "default", eager: true });

const NAMES: Record<string, string> = {
  blades: "Blades in the Dark", cthulhu: "Call of Cthulhu", dnd5e: "D&D 5e", fullattack: "Full attack", pathfinder2: "Pathfinder 2e",
  savage: "Savage Worlds", warhammer: "Warhammer", yahtzee: "Yahtzee", yearzero: "Year Zero",
};

export const examples: Record<string, { text: string; args: Record<string, unknown> }> = Object.fromEntries(
  Object.entries(texts).map(([path, text]) => {
    const name = path.replace(/^.*\/|\.tumble$/g, "");
    return [NAMES[name] ?? name, { text, args: args[path.replace(/\.tumble$/, ".json")] ?? {} }];
  }),
);
