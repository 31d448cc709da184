/** How fast all detectors together read a transcript, and whether they forget: `node --expose-gc scripts/bench-detect.ts [ENTRIES]`. */
import { createWatch, watchNext } from '../src/core/detect/watch.ts';
import type { TranscriptEntry } from '../src/core/vocabulary/transcript.ts';

/** Entries per second per core that hundreds of runs on one host need, with room to spare. */
const GOAL_PER_SECOND = 60_000;
const DEFAULT_ENTRIES = 400_000;
/** Median of tool results in public coding-agent runs is about 0.6 kB, the mean 1.2 kB. */
const OUTPUT_CHARS = [20, 120, 600, 1_200, 4_000];
const TOOLS = ['Bash', 'Read', 'Edit', 'Grep', 'Write'];

function* transcript(count: number): Generator<TranscriptEntry> {
  const filler = 'src/core/example.ts:41: const value = compute(input, options); // as before\n'.repeat(80);
  for (let i = 0; i < count; i++) {
    const turn = Math.floor(i / 3);
    const tool = TOOLS[turn % TOOLS.length] as string;
    const id = `call-${turn}`;
    const at = i * 1_000;
    if (i % 3 === 0)
      yield {
        type: 'message',
        at,
        role: 'agent',
        text: `I will look at part ${turn} of the code next, because the last result pointed there.`,
      };
    else if (i % 3 === 1)
      yield {
        type: 'tool_call',
        at,
        id,
        tool,
        input: JSON.stringify({ command: `run part ${turn}`, file_path: `/repo/src/${turn % 97}.ts` }),
      };
    else {
      const length = OUTPUT_CHARS[turn % OUTPUT_CHARS.length] as number;
      yield {
        type: 'tool_result',
        at,
        id,
        output: `${turn} ${filler.slice(0, length)}`,
        isError: turn % 9 === 0,
      };
    }
  }
}

function pass(count: number): { perSecond: number; heapMb: number; signals: number } {
  let watch = createWatch();
  let signals = 0;
  const begun = process.cpuUsage();
  for (const entry of transcript(count)) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    signals += watched.signals.length;
  }
  const { user, system } = process.cpuUsage(begun);
  globalThis.gc?.();
  const heapMb = process.memoryUsage().heapUsed / 2 ** 20;
  return {
    perSecond: count / ((user + system) / 1e6),
    heapMb,
    signals: signals + (watch.step === count - 1 ? 0 : Number.NaN),
  };
}

const count = Number(process.argv[2] ?? DEFAULT_ENTRIES);
pass(Math.min(20_000, count));
const short = pass(Math.max(1, Math.floor(count / 10)));
const long = pass(count);
const ratio = long.perSecond / GOAL_PER_SECOND;
const growth = long.heapMb / short.heapMb;
console.log(
  `${count} entries: ${Math.round(long.perSecond)} per CPU second (goal ${GOAL_PER_SECOND}), ${long.signals} signals`,
);
console.log(`a tenth of them: ${Math.round(short.perSecond)} per CPU second`);
if (globalThis.gc !== undefined)
  console.log(
    `heap after ${count / 10}: ${short.heapMb.toFixed(1)} MB, after ${count}: ${long.heapMb.toFixed(1)} MB`,
  );
console.log(
  `bench:detect: ${ratio.toFixed(2)} x the goal, heap grows ${growth.toFixed(2)} x over 10 x the entries`,
);
process.exitCode = ratio >= 1 && growth < 1.5 ? 0 : 1;
