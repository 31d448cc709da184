/**
 * `npm run record`: plays demo/recorded-rescue.yaml with real processes and draws what it tells as an SVG that moves:
 * every line appears when it was told. No other program is needed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawTerminal, type TimedLine } from './demo/draw-terminal.ts';
import { recordView } from './demo/record-view.ts';
import { tellDrill } from './demo/tell-drill.ts';

const folder = join(import.meta.dirname, '..');
const target = join(folder, 'docs/images/rescue.svg');
const begun = performance.now();
const lines: TimedLine[] = [{ text: '$ mayday run --check "grep -q port=9001 upload.conf" …', atMs: 0 }];
const { result } = await tellDrill(join(folder, 'demo/recorded-rescue.yaml'), (text) => {
  lines.push({ text, atMs: performance.now() - begun });
});
if (!result.passed) {
  console.error(`record: the rescue did not go as it must: ${result.why}`);
  process.exit(1);
}
writeFileSync(target, drawTerminal(lines));
console.log(`record: ${lines.length} lines of a real rescue in docs/images/rescue.svg`);
for (const columns of [80, 120]) {
  writeFileSync(join(folder, `docs/images/view-${columns}.svg`), await recordView(columns));
  console.log(`record: the living view at ${columns} columns in docs/images/view-${columns}.svg`);
}
