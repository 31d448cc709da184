/** `mayday report`: prints the metrics of a period. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { buildReport } from '../../report/build-report.ts';
import { markFalsePositive } from '../../report/false-positive.ts';
import type { Page } from '../../report/page/page.ts';
import { renderHtml } from '../../report/page/render-html.ts';
import { renderMarkdown } from '../../report/page/render-markdown.ts';
import { renderText } from '../../report/page/render-text.ts';
import { definitionsPage, reportPage } from '../../report/page/report-page.ts';
import { readHistory } from '../../report/read-history.ts';
import { renderCsv } from '../../report/render-csv.ts';
import { parseDuration } from '../../supervise/request/duration.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { print } from '../print.ts';
import { userName } from '../../use-cases/caller.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

const DEFAULT_SINCE = '30d';
const PAGES: Readonly<Record<string, (page: Page, columns?: number) => string>> = {
  text: renderText,
  md: renderMarkdown,
  html: renderHtml,
};

export function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const asked = textOf(invocation, 'format') ?? 'text';
  if (!Object.hasOwn(PAGES, asked) && asked !== 'json' && asked !== 'csv')
    throw usageError(
      'WRONG_FORMAT',
      `--format is text, md, json, html or csv, not ${JSON.stringify(asked.slice(0, 40))}`,
    );
  const format = invocation.json ? 'json' : asked;
  const now = Date.now();
  const from = now - parseDuration(textOf(invocation, 'since') ?? DEFAULT_SINCE, '--since');
  const repository = textOf(invocation, 'repository') || undefined;
  return withRecord(invocation, async ({ record }) => {
    const alarm = options['false-positive'];
    if (typeof alarm === 'string') return await falsePositive(invocation, record, alarm);
    const render = PAGES[format];
    if (options['definitions'] === true && render !== undefined)
      return write(invocation, render(definitionsPage(), columnsOf(invocation)));
    if (format === 'csv') {
      const { runs } = await readHistory(record, { repository, now });
      return write(invocation, renderCsv(runs.filter(({ created }) => created >= from)));
    }
    // A run of the present millisecond belongs to the period too.
    const to = now + 1;
    const report = await buildReport(record, {
      from,
      to,
      now,
      compare: options['compare'] === true,
      repository,
    });
    return write(
      invocation,
      render === undefined
        ? `${JSON.stringify(report)}\n`
        : render(reportPage(report), columnsOf(invocation)),
    );
  });
}

async function falsePositive(invocation: Invocation, record: RunRecord, incident: string): Promise<number> {
  const rows = await record.metrics();
  if (!rows.some((body) => body.includes(JSON.stringify(incident))))
    throw usageError('UNKNOWN_INCIDENT', `there is no incident ${JSON.stringify(incident.slice(0, 80))}`, [
      ['do', 'mayday show RUN --json lists the incidents of a run'],
    ]);
  const note = textOf(invocation, 'note') ?? '';
  await markFalsePositive(record, incident, { by: userName(invocation.env), note, at: Date.now() });
  const text = `noted      ${incident} was a false alarm; the report counts it\n`;
  return print(invocation, { incident, false_positive: true }, text);
}

function write(invocation: Invocation, text: string): number {
  const file = invocation.options['out'];
  if (typeof file !== 'string' && (textOf(invocation, 'format') ?? 'text') === 'text' && !invocation.json)
    writeText(invocation.stdout, text);
  else if (typeof file !== 'string') invocation.stdout.write(text);
  else {
    const path = resolve(invocation.cwd, file);
    writeFileSync(path, text);
    writeText(invocation.stderr, `mayday report: written to ${path}\n`);
  }
  return 0;
}

/** A table is cut to the terminal that shows it; a file has room. */
function columnsOf({ options, stdout }: Invocation): number | undefined {
  return typeof options['out'] === 'string' ? undefined : stdout.columns;
}
