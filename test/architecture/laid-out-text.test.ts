/** What a command writes for people goes through `writeText`, which breaks it at the width of the terminal. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** They write for programs, draw by themselves, or hand on lines that must stay as they are. */
const OTHERWISE = [
  'src/cli/main.ts',
  'src/cli/print.ts',
  'src/cli/write-text.ts',
  'src/cli/conversation.ts',
  'src/cli/render/live-view.ts',
  'src/cli/screen/full-screen.ts',
  'src/cli/look/bus.ts',
  'src/cli/look/diff.ts',
  'src/cli/machine/completion.ts',
];

/** JSON, a part of JSON, or the beginning of a line that `printError` ends. */
const FOR_PROGRAMS = /^\(\s*(?:`\$\{(?:JSON\.stringify|first \?)|'[[\]]|`(?:line|run) \$\{\w+\}: `\))/;

function direct(source: string): readonly string[] {
  return [...source.matchAll(/\b(?:stdout|stderr|out)\.write(?<call>\([^]{0,60})/g)]
    .map(({ groups }) => groups?.['call'] ?? '')
    .filter((call) => !FOR_PROGRAMS.test(call));
}

it('no command writes its text past the layout', () => {
  const found = globSync('src/cli/**/*.ts')
    .filter((path) => !OTHERWISE.includes(path))
    .flatMap((path) => direct(readFileSync(path, 'utf8')).map((call) => `${path}: ${call}`));
  // A report for a file format is no text for a terminal.
  expect(found).toEqual([expect.stringMatching(/^src\/cli\/learn\/report\.ts: \(text\)/)]);
});

it('sees such a write', () => {
  expect(direct('stdout.write(`all holds: ${runs}\\n`);')).toHaveLength(1);
  expect(direct('stdout.write(`${JSON.stringify(document)}\\n`);')).toEqual([]);
});
