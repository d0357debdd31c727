import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { RESULTS } from './browser/support/results.ts'

// Debian's browser without a user interface: it computes half as much as the whole browser, which also works.
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const browser = BROWSERS.find((path) => existsSync(path))
// Without background traffic.
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Tests that change nothing, so they can run in parallel. The others share the equipment and processes of the demo. */
const READ_ONLY = ['pages.test.ts', 'translation.test.ts']

/** A campaign also runs the tests that are tagged `LONG`. */
const isCampaign = process.env.PLANTROOM_TEST_RUNS !== undefined

export default defineConfig({
  ...(!isCampaign && { grepInvert: /@long/ }),
  testDir: 'browser',
  projects: [
    { name: 'does', testMatch: '*.test.ts', testIgnore: READ_ONLY, workers: 1 },
    { name: 'looks', testMatch: READ_ONLY, fullyParallel: true, dependencies: ['does'] },
  ],
  outputDir: join(RESULTS, 'failures'),
  globalSetup: './browser/support/global-setup.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: { ...(browser && { executablePath: browser }), args: ARGUMENTS },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Tallinn',
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace copies the page at every step. `--trace=on` records one.
    trace: 'off',
  },
})
