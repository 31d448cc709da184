import { expect, it } from 'vitest';
import { renderDiagnosis } from '../../../src/cli/learn/diagnose-render.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

it('a place of the workspace is named once, under one label', () => {
  const found = diagnose({
    output: "Error: Cannot find module './a.js'",
    exitCode: 1,
    nowMs: 0,
    timeZone: 'UTC',
  });
  const place = { path: 'src/b.ts', line: 3, text: "import './a.js';" };
  const workspace = [place, place, { ...place, line: 9 }];
  const told = renderDiagnosis({ ...found, workspace }, false);
  expect(told.match(/^ {2}Here .*$/gm)).toEqual(["  Here  src/b.ts:3  import './a.js';"]);
  expect(told.match(/src\/b\.ts:\d/g)).toEqual(['src/b.ts:3', 'src/b.ts:9']);
});
