import { defineConfig } from '@playwright/test'
import tests from './playwright.config.ts'

/** Screenshots of every page for review, outside of the tests: `./plantroom screenshots FOLDER`. */
export default defineConfig({
  ...tests,
  testDir: 'screenshots',
  testMatch: '*.ts',
  projects: [{ name: 'screenshots', fullyParallel: true }],
})
