import { describe, expect, test } from 'vitest';
import type { Tick } from '../../../src/core/detect/tick.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { listen } from './transcript-builder.ts';

const tick = (at: number, facts: Omit<Tick, 'type' | 'at'> = {}): Tick => ({ type: 'tick', at, ...facts });
const said: TranscriptEntry = { type: 'message', at: 0, role: 'agent', text: 'thinking' };
const called: TranscriptEntry = { type: 'tool_call', at: 0, id: 'a', tool: 'Bash', input: 'make all' };
const answered = (at: number): TranscriptEntry => ({
  type: 'tool_result',
  at,
  id: 'a',
  output: 'ok',
  isError: false,
});
/** Two looks, a moment apart: silence is called only at the second. */
const twice = (at: number, facts: Omit<Tick, 'type' | 'at'> = {}): readonly Tick[] => [
  tick(at, facts),
  tick(at + 1_000, facts),
];
const types = (entries: readonly (TranscriptEntry | Tick)[], policy = {}) =>
  listen(entries, policy).signals.map((signal) => `${signal.type} ${signal.severity}`);

describe('silence', () => {
  test('of the model is a stall at its limit, not before', () => {
    expect(types([said, tick(80_000), ...twice(88_500)])).toEqual([]);
    expect(types([said, tick(80_000), ...twice(90_000)])).toEqual(['stalled critical']);
  });

  test('is told once, and again only after something was heard', () => {
    const again = { ...said, at: 200_000 };
    expect(types([said, tick(90_000), tick(95_000), again, tick(210_000), ...twice(295_000)])).toEqual([
      'stalled critical',
      'stalled critical',
    ]);
  });

  test('with CPU time used between two looks is only a warning until the limit has passed three times', () => {
    const busy = [90_000, 95_000].map((at) => tick(at, { cpuMs: at }));
    expect(types([said, tick(85_000, { cpuMs: 85_000 }), ...busy])).toEqual(['stalled warning']);
    expect(
      types([
        said,
        tick(265_000, { cpuMs: 0 }),
        tick(270_000, { cpuMs: 5_000 }),
        tick(271_000, { cpuMs: 6_000 }),
      ]),
    ).toContain('stalled critical');
  });

  test('is no silence while bytes come or the session file grows', () => {
    expect(types([said, tick(90_000, { lastOutputAt: 60_000 })])).toEqual([]);
    expect(types([said, tick(90_000, { sessionWrittenAt: 60_000 })])).toEqual([]);
  });

  test('is not what passed while the machine slept: it begins anew when somebody looks again', () => {
    const asleep = [said, tick(80_000, { awakeSince: 0 })];
    const woken = 7_200_000;
    expect(types([...asleep, ...twice(woken)])).toEqual(['stalled critical']);
    const looking = { awakeSince: woken };
    expect(types([...asleep, tick(woken, looking), ...twice(woken + 88_000, looking)])).toEqual([]);
    expect(types([...asleep, tick(woken, looking), ...twice(woken + 90_000, looking)])).toEqual([
      'stalled critical',
    ]);
  });

  test('is measured again after the clock was set back, and a prompt or a subagent gets the same grace', () => {
    const late = { ...said, at: 3_600_000 };
    const back = { awakeSince: 10_000, lastOutputAt: 3_600_000 };
    expect(types([late, ...twice(98_000, back)])).toEqual([]);
    expect(types([late, ...twice(100_000, back)])).toEqual(['stalled critical']);
    const sent: TranscriptEntry = { ...called, tool: 'Task', input: 'look around' };
    const woken = { awakeSince: 7_200_000, lastLine: 'Overwrite? [y/n]' };
    expect(types([sent, tick(7_205_000, woken)])).toEqual([]);
    expect(types([sent, tick(7_500_000, woken)])).toContain('subagent_hang critical');
    expect(types([said, tick(7_210_000, woken)])).toEqual(['waiting_for_input critical']);
  });

  test('with a tool in flight is delayed, never muted', () => {
    const policy = { tool_silence_ms: 600_000 };
    expect(types([called, ...twice(300_000)], policy)).toEqual([]);
    expect(types([called, ...twice(600_000)], policy)).toEqual(['stalled critical']);
  });

  test('of a tool is measured by the longest it has taken in this run', () => {
    const policy = { tool_silence_ms: 60_000 };
    const next: TranscriptEntry = { ...called, at: 300_000, id: 'b' };
    expect(types([called, answered(300_000), next, ...twice(900_000)], policy)).toEqual([]);
    expect(types([called, answered(300_000), next, ...twice(1_200_000)], policy)).toEqual([
      'stalled critical',
    ]);
  });

  test('after the agent said when it will retry begins only then', () => {
    const retry: TranscriptEntry = {
      type: 'retry',
      at: 0,
      attempt: 1,
      delayMs: 120_000,
      status: 529,
      text: 'overloaded',
    };
    expect(types([retry, ...twice(200_000)])).toEqual([]);
    expect(types([retry, ...twice(210_000)])).toEqual(['stalled critical']);
  });

  test('is called only at the second look: what moved in between ends it', () => {
    expect(types([said, tick(90_000)])).toEqual([]);
    const tree: TranscriptEntry = { type: 'progress', at: 90_500, kind: 'tree', detail: 't1' };
    const spoken = { lastOutputAt: 90_500 };
    expect(types([said, tick(90_000), tree, tick(91_000)])).toEqual([]);
    expect(types([said, tick(90_000), tick(91_000, spoken), tick(180_000, spoken)])).toEqual([]);
    expect(types([said, tick(90_000), tick(91_000, { awakeSince: 91_000 })])).toEqual([]);
  });

  test('is measured from the last byte on a socket, and begins when none comes any more', () => {
    const looks = [30, 60, 90, 120, 150, 180, 210, 211].map((s) =>
      tick(s * 1_000, { socketBytes: Math.min(s, 120), cpuMs: 0, children: 0 }),
    );
    expect(types([said, ...looks.slice(0, -1)])).toEqual([]);
    expect(types([said, ...looks])).toEqual(['stalled critical']);
  });

  test('is not ended by connections that only stand', () => {
    const looks = [30, 60, 90, 91].map((s) => tick(s * 1_000, { socketBytes: 4_000, children: 2 }));
    expect(types([said, ...looks])).toEqual(['stalled critical']);
  });

  test('with bytes on its sockets but without a word for an hour is a stall: heartbeats are no work', () => {
    const looks = Array.from({ length: 122 }, (_, index) =>
      tick(index * 30_000, { socketBytes: index * 40 }),
    );
    expect(types([said, ...looks.slice(0, -1)])).toEqual([]);
    const { signals } = listen([said, ...looks]);
    expect(signals).toMatchObject([{ type: 'stalled', severity: 'critical', sinceAt: 0 }]);
    expect(signals[0]?.reason).toContain('bytes move on its sockets, but not a word came');
  });

  test('is ended by every piece of an unfinished message', () => {
    const looks = [60, 120, 180, 240].map((s) => tick(s * 1_000, { partialAt: s * 1_000 - 500 }));
    expect(types([said, ...looks])).toEqual([]);
    const hung = [270, 300, 330, 331].map((s) => tick(s * 1_000, { partialAt: 239_500 }));
    expect(types([said, ...looks, ...hung])).toEqual(['stalled critical']);
  });

  test('is ended by a changed tree', () => {
    const changed: TranscriptEntry = { type: 'progress', at: 60_000, kind: 'tree', detail: 't1' };
    expect(types([said, changed, ...twice(148_000)])).toEqual([]);
    expect(types([said, changed, ...twice(150_000)])).toEqual(['stalled critical']);
  });

  test('is measured from when the tree changed, not from when that was found', () => {
    const found = (at: number, changedAt: number): TranscriptEntry => ({
      type: 'progress',
      at,
      kind: 'tree',
      detail: `t${at}`,
      changedAt,
    });
    // Written before the last word, found only when silence is suspected: nothing new.
    expect(types([{ ...said, at: 5_000 }, tick(95_000), found(96_000, 4_000), tick(96_000)])).toEqual([
      'stalled critical',
    ]);
    expect(types([said, found(60_000, 20_000), ...twice(108_000)])).toEqual([]);
    expect(types([said, found(60_000, 20_000), ...twice(110_000)])).toEqual(['stalled critical']);
    const writes = [90, 179, 268, 357].flatMap((s) => [
      tick(s * 1_000),
      found(s * 1_000 + 500, s * 1_000 - 800),
      tick(s * 1_000 + 1_000),
    ]);
    expect(types([said, ...writes])).toEqual([]);
  });

  test('after the agent said when it will retry is not shortened by a change of the tree that is found meanwhile', () => {
    const retry: TranscriptEntry = {
      type: 'retry',
      at: 10_000,
      attempt: 1,
      delayMs: 600_000,
      status: 429,
      text: 'rate limited',
    };
    const found: TranscriptEntry = {
      type: 'progress',
      at: 15_000,
      kind: 'tree',
      detail: 't1',
      changedAt: 9_000,
    };
    expect(types([said, retry, found, ...twice(300_000)])).toEqual([]);
    expect(types([said, retry, found, ...twice(700_000)])).toEqual(['stalled critical']);
  });

  test('while children come and go, or after CPU time was used, is a warning, until it was idle for the limit', () => {
    const looks = Array.from({ length: 10 }, (_, index) =>
      tick(index * 10_000, { children: 1, childrenStarted: index, cpuMs: 0 }),
    );
    expect(types([said, ...looks])).toEqual(['stalled warning']);
    const idle = [120, 150, 179].map((s) => tick(s * 1_000, { children: 1, childrenStarted: 9, cpuMs: 0 }));
    expect(types([said, ...looks, ...idle])).toEqual(['stalled warning']);
    const last = twice(180_000, { children: 1, childrenStarted: 9, cpuMs: 0 });
    expect(types([said, ...looks, ...idle, ...last])).toEqual(['stalled warning', 'stalled critical']);
  });

  test('is not broken by the moment of CPU time that an idle program uses now and then', () => {
    const looks = Array.from({ length: 92 }, (_, index) =>
      tick(index * 1_000, { cpuMs: 60 * Math.floor(index / 10) }),
    );
    expect(types([said, ...looks])).toEqual(['stalled critical']);
  });

  test('carries every sign that was looked for, and since when it is missing', () => {
    const facts = { startedAt: 0, cpuMs: 10, children: 1, partialAt: 2_000 };
    const { signals } = listen([
      said,
      tick(1_000, { ...facts, socketBytes: 3 }),
      tick(2_000, { ...facts, socketBytes: 5 }),
      tick(50_000, { ...facts, socketBytes: 5 }),
      tick(92_000, { ...facts, socketBytes: 5 }),
      tick(92_400, { ...facts, socketBytes: 5 }),
    ]);
    expect(signals[0]?.evidence).toEqual([
      'output: none for 92 s',
      'pieces of a message: none for 90 s',
      'new files: none for 92 s',
      'bytes on sockets: none for 90 s',
      'children (1 now) that come or go: none for 92 s',
      'CPU time: 0 % of a core now, none for 92 s',
    ]);
    expect(listen([said, ...twice(90_000)]).signals[0]?.evidence).toContain(
      'bytes on sockets: cannot be seen here',
    );
  });
});

describe('waiting', () => {
  test.each([
    'Overwrite? [y/N] ',
    "Password for 'https://example.com': ",
    'Do you want to continue? (yes/no) ',
    'Press Enter to continue',
  ])('for an answer to %s is noticed', (lastLine) => {
    expect(types([said, tick(5_000, { lastLine })])).toEqual([]);
    expect(types([said, tick(10_000, { lastLine })])).toEqual(['waiting_for_input critical']);
  });

  test('for an answer is not read into ordinary output', () => {
    expect(types([said, tick(20_000, { lastLine: 'Compiling passwords.ts (12 of 80)' })])).toEqual([]);
  });

  test('for an answer to the agent’s own question is noticed', () => {
    const asked: TranscriptEntry = {
      type: 'tool_call',
      at: 0,
      id: 'q',
      tool: 'AskUserQuestion',
      input: '{"question":"Which?"}',
    };
    expect(types([asked, tick(11_000)])).toEqual(['waiting_for_input critical']);
  });

  test('for a subagent that is silent is a hang, and for one that speaks is not', () => {
    const errand: TranscriptEntry = {
      type: 'tool_call',
      at: 0,
      id: 't',
      tool: 'Task',
      input: 'review the diff',
    };
    const heard: TranscriptEntry = {
      type: 'tool_call',
      at: 200_000,
      id: 'x',
      tool: 'Read',
      input: 'a.ts',
      parentId: 't',
    };
    expect(types([errand, tick(300_000)])).toContain('subagent_hang critical');
    expect(types([errand, heard, tick(300_000)])).not.toContain('subagent_hang critical');
    expect(types([errand, tick(300_000, { partialAt: 299_000 })])).toEqual([]);
    const moving = [290_000, 300_000].map((at) => tick(at, { socketBytes: at }));
    expect(types([errand, ...moving])).toEqual([]);
  });

  test('with a poll is judged by time', () => {
    const poll = (at: number): readonly TranscriptEntry[] => [
      { type: 'tool_call', at, id: `${at}`, tool: 'Bash', input: 'gh run view 7' },
      { type: 'tool_result', at, id: `${at}`, output: 'in_progress', isError: false },
    ];
    const minutes = (count: number) =>
      Array.from({ length: count }, (_, index) => poll(index * 60_000)).flat();
    expect(types(minutes(25))).toEqual([]);
    expect(types(minutes(40))).toEqual(['stalled warning']);
    expect(types(minutes(150))).toEqual(['stalled warning', 'stalled critical']);
  });
});

describe('limits', () => {
  const tokens = (used: number) => [{ name: 'tokens', used, limit: 1_000 }] as const;

  test('at 80 % are a warning, and critical when the gates fail', () => {
    expect(types([tick(0, { budgets: tokens(790) })])).toEqual([]);
    expect(types([tick(0, { budgets: tokens(800) })])).toEqual(['budget warning']);
    const failing = listen([tick(0, { budgets: tokens(800), gatesFailing: true })]).signals;
    expect(failing).toMatchObject([{ type: 'budget', severity: 'critical' }]);
    expect(failing[0]?.reason).toContain('budget exhaustion likely');
  });

  test('of working time are told like the others, in seconds', () => {
    const time = (used: number) => [{ name: 'working time', used, limit: 100_000 }] as const;
    expect(types([tick(0, { budgets: time(79_000) })])).toEqual([]);
    expect(listen([tick(0, { budgets: time(80_000) })]).signals).toMatchObject([
      { type: 'budget', severity: 'warning', evidence: ['80 of 100 s of working time'] },
    ]);
    expect(types([tick(0, { budgets: time(100_000) })])).toEqual(['budget critical']);
  });

  test('that are used up are critical whatever the gates say', () => {
    expect(types([tick(0, { budgets: tokens(1_000) })])).toEqual(['budget critical']);
  });

  test('that will be reached within minutes at this pace are a warning', () => {
    const slow = [tick(0, { budgets: tokens(0) }), tick(300_000, { budgets: tokens(100) })];
    const fast = [tick(0, { budgets: tokens(0) }), tick(300_000, { budgets: tokens(500) })];
    expect(types(slow)).toEqual([]);
    expect(types(fast)).toEqual(['budget warning']);
    expect(types(slow, { tokens_per_minute: 10 })).toEqual(['budget warning']);
  });

  test('of time: twice the expected duration asks somebody to check progress, once', () => {
    const facts = { startedAt: 0, expectedMs: 60_000, lastOutputAt: 119_000 };
    const { signals } = listen([tick(120_000, facts), tick(120_001, facts), tick(180_000, facts)]);
    expect(signals).toMatchObject([
      { type: 'overdue', severity: 'warning', suggestedAction: 'check progress' },
    ]);
  });

  test('of hope: the third attempt without improvement raises the blocker flag', () => {
    expect(types([tick(0, { attemptsWithoutImprovement: 2 })])).toEqual([]);
    const { signals } = listen([tick(0, { attemptsWithoutImprovement: 3 })]);
    expect(signals).toMatchObject([
      { type: 'retries', severity: 'critical', suggestedAction: 'raise the blocker flag' },
    ]);
  });
});

describe('what a look at the attempt itself shows', () => {
  const stopped = (at: number, more = {}) => tick(at, { stopped: true, lastOutputAt: at, ...more });

  test('a process that stands stopped for the limit is frozen, told once; a short stop is left alone', () => {
    const frozenOnly = { frozen_ms: 5_000 };
    expect(types([said, stopped(1_000), stopped(5_900), tick(6_000), stopped(7_000)], frozenOnly)).toEqual(
      [],
    );
    expect(types([said, stopped(1_000), stopped(6_000), stopped(7_000)], frozenOnly)).toEqual([
      'frozen critical',
    ]);
  });

  test('time that the machine slept does not make a stopped process frozen', () => {
    const woken = { awakeSince: 3_600_000 };
    expect(types([said, stopped(1_000), stopped(3_600_000, woken), stopped(3_604_000, woken)])).toEqual([]);
    expect(types([said, stopped(1_000), stopped(3_600_000, woken), stopped(3_605_000, woken)])).toEqual([
      'frozen critical',
    ]);
  });

  test('a blocker note is told once, after the agent had time to end by itself', () => {
    const raised = (at: number, blockerAt = 1_000) => tick(at, { blockerAt, lastOutputAt: at });
    expect(types([said, raised(2_000), raised(11_000)])).toEqual([]);
    expect(types([said, raised(11_001), raised(12_000)])).toEqual(['blocker_raised critical']);
    expect(types([said, raised(11_001), raised(40_000, 20_000)])).toHaveLength(2);
  });

  test('an agent that stays after its final result is told once; one that goes on writing is left alone', () => {
    const result: TranscriptEntry = {
      type: 'result',
      at: 0,
      text: 'done',
      isError: false,
      subtype: 'success',
      deniedTools: [],
    };
    const policy = { final_grace_ms: 30_000 };
    const quiet = (at: number) => tick(at, { lastOutputAt: 500 });
    expect(types([result, quiet(29_000)], policy)).toEqual([]);
    expect(types([result, quiet(30_000), quiet(31_000)], policy)).toEqual(['stalled critical']);
    expect(types([result, tick(31_000, { lastOutputAt: 30_500 })], policy)).toEqual([]);
    // Of an agent at a terminal no output is seen: it stays there for its person.
    expect(types([result, tick(60_000, { sessionWrittenAt: 0, interactive: true })], policy)).toEqual([]);
  });

  test('paths of the tree outside the scope are a warning, each path once', () => {
    const looked = (at: number, ...changed: string[]) =>
      tick(at, { lastOutputAt: at, work: { changed, allowed: ['src/**'] } });
    expect(types([said, looked(1_000, 'src/a.ts')])).toEqual([]);
    const { signals } = listen([said, looked(1_000, 'src/a.ts', 'db/a.sql'), looked(2_000, 'db/a.sql')]);
    expect(signals).toMatchObject([
      { type: 'scope_drift', severity: 'warning', evidence: ['db/a.sql'], confidence: 1 },
    ]);
    expect(types([said, looked(1_000, 'db/a.sql'), looked(2_000, 'db/a.sql', 'x')])).toHaveLength(2);
  });

  test('nothing may change while the agent only looks', () => {
    const work = { changed: ['src/a.ts'], allowed: [] };
    expect(types([said, tick(1_000, { work })])).toEqual(['scope_drift warning']);
  });
});

describe('a stream that is lost', () => {
  const reconnect = (at: number): TranscriptEntry => ({
    type: 'retry',
    at,
    attempt: 1,
    delayMs: 0,
    status: null,
    text: 'stream disconnected before completion',
  });
  const session: TranscriptEntry = { type: 'session', at: 1_000, sessionId: 's' };

  test('is noticed at the silence limit, however often the agent says that it reconnects', () => {
    const { signals } = listen([
      session,
      ...[30, 60, 89].flatMap((s) => [
        reconnect(s * 1_000),
        tick(s * 1_000 + 500, { lastOutputAt: s * 1_000 }),
      ]),
      tick(91_500, { lastOutputAt: 89_000 }),
      tick(92_500, { lastOutputAt: 89_000 }),
    ]);
    expect(signals.map(({ type, severity }) => `${type} ${severity}`)).toEqual(['stalled critical']);
  });

  test('is no stall once bytes move again after it reconnected', () => {
    const { signals } = listen([
      session,
      reconnect(60_000),
      ...[61, 70, 80, 91, 92, 100].map((s) =>
        tick(s * 1_000, { lastOutputAt: 60_000, socketBytes: s * 900 }),
      ),
    ]);
    expect(signals).toEqual([]);
  });

  test('is not the refusal of an API that the agent waits out', () => {
    const refused = (at: number): TranscriptEntry =>
      ({ ...reconnect(at), status: 529, delayMs: 20_000 }) as TranscriptEntry;
    const { signals } = listen([
      session,
      ...[30, 60, 90].flatMap((s) => [
        refused(s * 1_000),
        tick(s * 1_000 + 500, { lastOutputAt: s * 1_000 }),
      ]),
      tick(95_000, { lastOutputAt: 90_000 }),
    ]);
    expect(signals).toEqual([]);
  });
});

describe('the processor time of an agent that waits for its model', () => {
  const idle = (share: number, more: object) =>
    [1, ...Array.from({ length: 13 }, (_, index) => (index + 1) * 8)].map((s) =>
      tick(s * 1_000, { lastOutputAt: 0, startedAt: 0, cpuMs: s * 1_000 * share, children: 0, ...more }),
    );
  const heard = (share: number, more: object) =>
    listen(idle(share, more)).signals.map(({ type, severity }) => `${type} ${severity}`);

  test('is no life where its sockets can be seen and are still: a turning event loop is no stream', () => {
    expect(heard(0.08, { socketBytes: 4_000 })).toEqual(['stalled critical']);
  });

  test('is no life beside a child that only stands there, such as a server of its tools', () => {
    const beside = (share: number, childShare: number) =>
      [1, ...Array.from({ length: 13 }, (_, index) => (index + 1) * 8)].map((s) =>
        tick(s * 1_000, {
          lastOutputAt: 0,
          startedAt: 0,
          socketBytes: 4_000,
          children: 1,
          cpuMs: s * 1_000 * (share + childShare),
          childrenCpuMs: s * 1_000 * childShare,
        }),
      );
    const { signals } = listen(beside(0.08, 0.001));
    expect(signals.map(({ severity }) => severity)).toEqual(['critical']);
    expect(signals[0]?.evidence).toContain('CPU time of its children: 0 % of a core now, none for 104 s');
    expect(types(beside(0.01, 0.08))).toEqual(['stalled warning']);
  });

  test('is life where sockets cannot be seen, beside a child, and while it computes in earnest', () => {
    expect(heard(0.08, {})).toEqual(['stalled warning']);
    expect(heard(0.08, { socketBytes: 4_000, children: 1 })).toEqual(['stalled warning']);
    expect(heard(0.9, { socketBytes: 4_000 })).toEqual(['stalled warning']);
  });
});
