/** `reportPage`: the report as a page. Scripts look for its lines and their order: add, never rename. */
import type { Report } from '../build-report.ts';
import { DEFINITIONS } from '../metrics/definitions.ts';
import {
  externalSections,
  investigationsSection,
  recentSection,
  systematicSection,
} from './event-sections.ts';
import { breakdownSections, learningSection, missionsSection, opinionSection } from './learning-sections.ts';
import { type Page, pageSection, tableBlock } from './page.ts';
import { criteriaSection, reasonsSection, recoverySection, unblockSection } from './recovery-sections.ts';
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
      recoverySection(report),
      reasonsSection(report),
      criteriaSection(report),
      unblockSection(report),
      missionsSection(report),
      learningSection(report),
      ...breakdownSections(report),
      opinionSection(report),
      recentSection(report),
      systematicSection(report),
      investigationsSection(report),
      ...externalSections(report),
    ],
  };
}

export function definitionsPage(): Page {
  const rows = DEFINITIONS.map(({ group, name, formula }) => [group, name, formula]);
  return {
    title: 'Mayday metrics',
    subtitle: 'what each number means',
    sections: [pageSection('Definitions', tableBlock(['Metric', 'Name', 'Formula'], rows))],
  };
}
