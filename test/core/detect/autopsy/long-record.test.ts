import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';

/** Work as it goes on for hours: a look, an edit, a check that mostly fails, always for another part. */
function* longWork(calls: number): Generator<TranscriptEntry> {
  for (let n = 0; n < calls; n++) {
    const [id, at, part] = [`t${n}`, n * 4_000, Math.floor(n / 30)];
    const [tool, input, output] = [
      ['Bash', { command: `cat src/file${n % 700}.ts` }, `the text of file ${n}`],
      [
        'Edit',
        { file_path: `/repo/src/file${n % 300}.ts`, old_string: `before${n}`, new_string: `after${n}` },
        'done',
      ],
      [
        'Bash',
        { command: `npm test -- part${part}` },
        `FAIL part${part}\nError: ${n % 7} is not 4\n1 failed`,
      ],
    ][n % 3] as [string, object, string];
    const isError = n % 3 === 2 && n % 5 !== 0;
    yield { type: 'tool_call', at, id, tool, input: JSON.stringify(input) };
    yield { type: 'tool_result', at: at + 1_000, id, output, isError };
  }
}

function cpuMs(calls: number): number {
  const entries = [...longWork(calls)];
  const begun = process.cpuUsage();
  autopsy('long', entries);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

test('the story of a record eight times as long takes about eight times as long', () => {
  cpuMs(1_000);
  const [short, long] = [cpuMs(2_000), cpuMs(16_000)];
  expect(long / short).toBeLessThan(16);
});
