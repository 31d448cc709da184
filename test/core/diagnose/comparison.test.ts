import { expect, it } from 'vitest';
import { diagnose } from '../../../src/library/diagnose.ts';

it('the values of a printed assertion error are told without the commas between its properties', () => {
  const output = [
    '✖ adds (2.1ms)',
    '  AssertionError [ERR_ASSERTION]: -1 == 5',
    '      at TestContext.<anonymous> (file:///work/add.test.js:2:27) {',
    '    generatedMessage: true,',
    "    code: 'ERR_ASSERTION',",
    '    actual: -1,',
    '    expected: 5,',
    "    operator: '=='",
    '  }',
  ].join('\n');
  expect(diagnose({ output, exitCode: 1 }).root_cause).toContain('to be 5, but it is -1 (');
});
