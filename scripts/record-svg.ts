/**
 * `npm run record`: plays demo/recorded-rescue.yaml with real processes and draws what it tells as an SVG that moves:
 * every line appears when it was told. No other program is needed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawTerminal, type TimedLine } from './demo/draw-terminal.ts';
import { recordView } from './demo/record-view.ts';
import { isOfReader } from './demo/is-of-reader.ts';
import { tellDrill } from './demo/tell-drill.ts';

const folder = join(import.meta.dirname, '..');
const target = join(folder, 'docs/images/rescue.svg');
const begun = performance.now();
const lines: TimedLine[] = [{ text: '$ mayday run --check "grep -q port=9001 upload.conf" …', atMs: 0 }];
const { result } = await tellDrill(join(folder, 'demo/recorded-rescue.yaml'), (text) => {
  if (isOfReader(text) && !isCountdown(text, lines.at(-1)?.text))
    lines.push({ text, atMs: performance.now() - begun });
});
if (!result.passed) {
  console.error(`record: the rescue did not go as it must: ${result.why}`);
  process.exit(1);
}
writeFileSync(target, drawTerminal(lines));
console.log(`record: ${lines.length} lines of a real rescue in docs/images/rescue.svg`);
writeFileSync(join(folder, 'docs/images/view-80.svg'), await recordView(80));
console.log('record: the living view at 80 columns in docs/images/view-80.svg');

/** A wait that is told second by second is one line of a picture. */
function isCountdown(text: string, before = ''): boolean {
  const withoutTime = (line: string) => line.replace(/resumes in \d+ s/, 'resumes in');
  return withoutTime(text) !== text && withoutTime(text).slice(8) === withoutTime(before).slice(8);
}
