/**
 * `reportPage`: the report as a page. Its lines and their order are public, because people and scripts look for them: add, never rename.
 */
import type { Report } from '../build-report.ts';
import { DEFINITIONS } from '../metrics/definitions.ts';
import { investigations, recent, systematic } from './event-sections.ts';
import { breakdowns, learning, missions } from './learning-sections.ts';
import type { Page } from './page.ts';
import { criteria, reasons, recovery, unblock } from './recovery-sections.ts';
import { day } from './words.ts';

export function reportPage(report: Report): Page {
  return {
    title: 'Mayday report',
    subtitle: [
      `${day(report.period.from)} to ${day(report.period.to)}`,
      ...(report.repository === null ? [] : [report.repository]),
      ...(report.unread_rows === 0
        ? []
        : [`${report.unread_rows} rows of the record are not readable by this version and left out`]),
    ].join(' · '),
    sections: [
      recovery(report),
      reasons(report),
      criteria(report),
      unblock(report),
      missions(report),
      learning(report),
      ...breakdowns(report),
      recent(report),
      systematic(report),
      investigations(report),
    ],
  };
}

export function definitionsPage(): Page {
  return {
    title: 'Mayday metrics',
    subtitle: 'what each number means',
    sections: [
      {
        title: 'Definitions',
        blocks: [
          {
            type: 'table',
            head: ['Metric', 'Name', 'Formula'],
            rows: DEFINITIONS.map(({ group, name, formula }) => [group, name, formula]),
          },
        ],
      },
    ],
  };
}
