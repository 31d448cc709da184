/** Tool output is written by strangers: nothing in it may stop the watch or slow it down. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entriesOfSteps } from '../../../src/agents/neutral/steps.ts';
import { verdictJson } from '../../../src/report/autopsy/verdict-json.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import { call, listen, transcript } from './transcript-builder.ts';
import { processorMs } from '../../processor-time.ts';

const CHARS = 200_000;
/** A linear pass over this much text takes milliseconds; a quadratic one takes minutes. */
const LIMIT_MS = 2_000;

const PATTERNS = [
  ' ',
  '\n',
  '\\',
  '"',
  '\\"',
  "'",
  'a',
  '/',
  '.',
  '0',
  'cd a && ',
  'Error',
  'Error: ',
  '(Error',
  '"path": "',
  '"description": "\\',
  '{"command": "',
  "sed -i '",
  '<returncode>',
  'npm -a ',
  'make -j ',
  'status ',
  'file a ',
  'x: not found ',
  'Traceback (most recent call last)\n',
  'password ',
  '\u0000',
  '𝒳',
];

describe('hostile text', () => {
  test.each(PATTERNS)('made of %j is read in linear time', (pattern) => {
    const text = pattern.repeat(Math.ceil(CHARS / pattern.length));
    const took = processorMs(() => {
      for (const tool of ['Bash', 'Edit', 'Read', ''])
        listen(
          transcript([call(text, text, tool), { say: text }, call(`{"command": "${text}"}`, text, tool)]),
        );
      listen([
        { type: 'message', at: 0, role: 'agent', text: 'x' },
        { type: 'tick', at: 20_000, lastLine: text },
      ]);
      for (const line of [text, text.slice(0, 390)])
        listen(
          Array.from({ length: 60 }, (_, index) => ({
            type: 'output',
            stream: 'stdout',
            at: index * 5_000,
            text: line,
          })),
        );
    });
    expect(took).toBeLessThan(LIMIT_MS);
  });
});

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'Error: x', '{"command":"ls"}', 'in progress'),
);
const anyStep = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('action', 'observation', 'error', 'message'),
      tool: fc.option(anyText),
      input: anyText,
      output: anyText,
    },
    { requiredKeys: ['type'] },
  ),
  fc.anything(),
);

describe('any run', () => {
  test('gets a verdict', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { entries, stepOf } = entriesOfSteps(steps);
        const { wasted_steps: wasted } = verdictJson(autopsy('x', entries), stepOf);
        return new Set(stepOf).size === steps.length && wasted >= 0 && wasted <= steps.length;
      }),
    );
  });

  test('read twice gives the same signals', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { entries } = entriesOfSteps(steps);
        expect(listen(entries).signals).toEqual(listen(entries).signals);
      }),
    );
  });
});
