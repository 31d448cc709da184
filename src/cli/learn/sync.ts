/** `mayday sync`: prints the daily flow sync. */
import { usageError } from '../../platform/mayday-error.ts';
import { flowSync } from '../../report/flow-sync.ts';
import { renderMarkdown } from '../../report/page/render-markdown.ts';
import { renderText } from '../../report/page/render-text.ts';
import { syncPage } from '../../report/page/sync-page.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  const format = invocation.options['format'] ?? 'text';
  if (format !== 'text' && format !== 'md') throw usageError('WRONG_FORMAT', '--format is text or md');
  return withRecord(invocation, async ({ record }) => {
    const sync = await flowSync(record, Date.now(), invocation.env);
    const render = format === 'md' ? renderMarkdown : renderText;
    return print(invocation, sync, render(syncPage(sync), invocation.stdout.columns));
  });
}
