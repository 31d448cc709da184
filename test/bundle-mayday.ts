/**
 * `setup`, called by vitest before the first test: bundles the programs as they are published. The suite starts more than a
 * thousand. The sources as they lie here are started by `test/docs`, the published package by `test/package`.
 */
import { join } from 'node:path';
import { bundlePackage } from '../scripts/bundle-package.ts';

export async function setup(): Promise<void> {
  // The suite inside a test of the suite.
  if (process.env['MAYDAY_UNDER_TEST'] !== undefined) return;
  process.env['MAYDAY_UNDER_TEST'] = join(await bundlePackage(), 'bin/mayday.js');
}
