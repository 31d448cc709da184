/** A name in the vocabulary has a producer and a consumer: what nothing raises, fills or reads is deleted. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { DETECT_KEYS } from '../../src/core/vocabulary/agent-limits.ts';
import { POLICY_RULES } from '../../src/core/vocabulary/policy.ts';
import { SIGNALS } from '../../src/core/vocabulary/signal.ts';

const sources = globSync(['src/**/*.ts', 'scripts/docs/*.ts']).map((path) => ({
  path,
  text: withoutComments(path),
}));

function withoutComments(path: string): string {
  return readFileSync(path, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

/** All code of files that the pattern names, without those that only define or list. */
function code(files: RegExp, without: readonly string[] = []): string {
  return sources
    .filter(({ path }) => files.test(path) && !without.includes(path))
    .map(({ text }) => text)
    .join('\n');
}

/** Of `interface NAME {...}` at the top level of a file. */
function fieldsOf(path: string, name: string): string[] {
  const text = withoutComments(path);
  const body = new RegExp(`interface ${name}(?:<[^>]*>)? \\{\\n([^]*?)\\n\\}`).exec(text)?.[1] ?? '';
  const fields = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1] as string);
  expect(fields.length).toBeGreaterThan(0);
  return fields;
}

/** `x.field`, or `{ field }` taken from a value whose name or type is one of these. */
function isRead(text: string, field: string, from: string): boolean {
  const member = new RegExp(`(?:${from})(?:\\[[^\\]]*\\]|\\([^;{}]*?\\))?[?!]?\\.${field}\\b`);
  const taken = new RegExp(
    `\\{[^{}]*\\b${field}\\b[^{}]*\\}(?:: |\\s*=\\s*)(?:Pick<)?(?:[\\w.]*\\.)?(?:${from})\\b`,
  );
  return member.test(text) || taken.test(text);
}

describe('options of commands', () => {
  const readers = code(/^src\/(?:cli|use-cases|supervise\/request)\/(?!.*-commands\.ts$)/);
  const isOptionRead = (name: string) => readers.includes(`'${name}'`);

  it('each is read by the code of a command', () => {
    const names = COMMANDS.flatMap(({ options }) => options.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(20);
    expect([...new Set(names)].filter((name) => !isOptionRead(name))).toEqual([]);
    expect(isOptionRead('an-option-that-nothing-reads')).toBe(false);
  });
});

describe('wishes for a run', () => {
  const fields = (path: string, name: string) =>
    [
      ...(
        new RegExp(`interface ${name}[^{]*\\{\\n([^]*?)\\n\\}`).exec(withoutComments(path))?.[1] ?? ''
      ).matchAll(/^ {2}readonly (\w+)\??:/gm),
    ].map((match) => match[1] as string);
  const wishes = [
    ...fields('src/supervise/request/run-spec.ts', 'RunWish'),
    ...fields('src/use-cases/start/plan-run.ts', 'NewRun'),
  ];
  const doors = code(
    /^src\/(?:cli\/run\/run|library\/supervise|drills\/\w[\w-]*|use-cases\/start\/take-over-task)\.ts$/,
  );
  const readers = code(/^src\/(?:use-cases\/start|supervise\/(?:request|hosts))\//);
  const isFilled = (wish: string) => new RegExp(`\\b${wish}\\??[:,]`).test(doors);
  /** `wish.NAME`, `request.NAME`, or NAME among the names that are taken from it. */
  const isRead = (wish: string) =>
    new RegExp(`\\b(?:wish|request)\\.${wish}\\b|[{,]\\s+${wish}(?:[,}]| \\}| =|: \\w+[, ])`).test(readers);

  it('each is filled by a door and read by the request', () => {
    expect(wishes.length).toBeGreaterThan(25);
    expect(wishes.filter((wish) => !isFilled(wish))).toEqual([]);
    expect(wishes.filter((wish) => !isRead(wish))).toEqual([]);
    expect([isFilled('wishedByNobody'), isRead('wishedByNobody')]).toEqual([false, false]);
  });
});

describe('signals', () => {
  const raised = new Set([...code(/^src\//).matchAll(/type: '(\w+)',\s*severity/g)].map((match) => match[1]));

  it('every type is raised somewhere', () => {
    expect(Object.keys(SIGNALS).filter((type) => !raised.has(type))).toEqual([]);
  });

  it('every field is read where a run is told or judged', () => {
    const readers = code(/^src\/(?:core\/(?:decide|view|replay|bus)|report|cli|supervise|library)\//);
    const fields = fieldsOf('src/core/vocabulary/signal.ts', 'Signal');
    expect(
      fields.filter((field) => !isRead(readers, field, '\\w*[sS]ignal\\w*|\\w*[wW]arning|alarms?')),
    ).toEqual([]);
  });
});

describe('ticks', () => {
  const fields = fieldsOf('src/core/detect/tick.ts', 'Tick').filter((field) => field !== 'type');

  it('every field has a producer', () => {
    const producers = sources
      .filter(
        ({ path, text }) =>
          path.startsWith('src/supervise/') && /\b(?:Tick|ToldFacts|LifeFacts|AgentWatch)\b/.test(text),
      )
      // What is only taken apart is not produced.
      .map(({ text }) => text.replaceAll(/\{[^{}]*\}(?=\s*(?:: [A-Z]|=[^>=]))/g, ''))
      .join('\n');
    expect(fields.filter((field) => !new RegExp(`[{,\\n]\\s*${field}\\s*[:,}]`).test(producers))).toEqual([]);
  });

  it('every field is read by a detector', () => {
    const detectors = code(/^src\/core\/detect\//);
    expect(fields.filter((field) => !isRead(detectors, field, 'entry|tick|now|first|last|Tick'))).toEqual([]);
  });
});

describe('budgets', () => {
  it.each(fieldsOf('src/core/vocabulary/task.ts', 'Budget'))(
    '%s is set by a person, watched and enforced',
    (field) => {
      const set = new RegExp(`\\b${field}: `);
      expect(code(/^src\/supervise\/request\/run-budget\.ts$/)).toMatch(set);
      expect(isRead(code(/^src\/supervise\/watch\/told-facts\.ts$/), field, 'budget')).toBe(true);
      expect(
        isRead(
          code(/^src\/core\/(?:decide\/recovery\/hard-budget|state\/working-time)\.ts$/),
          field,
          'budget',
        ),
      ).toBe(true);
    },
  );
});

describe('rows of failure classes and blockers', () => {
  /** `sign` and `says` are columns of the reference pages. */
  const readers = code(/^(?:src|scripts)\//, [
    'src/core/vocabulary/classes/class-rule.ts',
    'src/core/vocabulary/blockers/blocker-rule.ts',
  ]);

  it.each([
    ['ClassRule', 'classes/class-rule', 'ruleOf|FAILURE_CLASSES|rule'],
    ['Row', 'blockers/blocker-rule', 'BLOCKERS|rule'],
  ])('every field of %s is read', (name, file, from) => {
    const fields = fieldsOf(`src/core/vocabulary/${file}.ts`, name);
    expect(fields.filter((field) => !isRead(readers, field, from))).toEqual([]);
  });
});

describe('policy', () => {
  it('every limit that people can set is one that something goes by', () => {
    const users = code(/^src\//, [
      'src/core/vocabulary/policy.ts',
      'src/core/vocabulary/agent-limits.ts',
      'src/report/replay/replay-history.ts',
      'src/supervise/request/config-trust.ts',
    ]);
    const words = new Set(users.match(/\b[a-z_]+\b/g));
    expect(Object.keys(POLICY_RULES).filter((key) => !words.has(key))).toEqual([]);
  });

  it('every limit that one agent can have of its own is compared by a detector', () => {
    const detectors = code(/^src\/core\/detect\//);
    expect(DETECT_KEYS.filter((key) => !isRead(detectors, key, 'policy'))).toEqual([]);
  });

  it('every limit that a detector compares can be set for one agent, or depends on the process alone', () => {
    const compared = code(/^src\/core\/detect\//).matchAll(/\bpolicy\.([a-z]+(?:_[a-z]+)+)\b/g);
    const keys = [...new Set([...compared].map(([, key = '']) => key))].filter((key) => key in POLICY_RULES);
    expect(keys.filter((key) => !(DETECT_KEYS as readonly string[]).includes(key)).toSorted()).toEqual([
      'final_grace_ms',
      'frozen_ms',
    ]);
  });
});
