// Rolls every line of the input with RPG Dice Roller and prints, for each, how often each total came.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const require = createRequire(process.argv[3] + '/');
const { DiceRoll } = require('@dice-roller/rpg-dice-roller');
const rolls = Number(process.argv[2]);
for await (const text of createInterface({ input: process.stdin })) {
  const counts = new Map();
  try {
    for (let n = 0; n < rolls; n += 1) {
      const { total } = new DiceRoll(text);
      counts.set(total, (counts.get(total) ?? 0) + 1);
    }
  } catch (error) {
    console.log(`refused: ${error.name}`);
    continue;
  }
  console.log([...counts].sort((a, b) => a[0] - b[0]).map(([total, count]) => `${total} ${count}`).join(' '));
}
