import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { RESULTS } from './browser/support/results.ts'

// Debian's, and only as loud as the tests need: nothing of it calls home.
const CHROMIUM = '/usr/bin/chromium'
const QUIETLY = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** These change nothing. The others hold the equipment of the one demo, end its processes and count what is there. */
const LOOKS = ['pages.test.ts', 'translation.test.ts']

export default defineConfig({
  testDir: 'browser',
  projects: [
    { name: 'does', testMatch: '*.test.ts', testIgnore: LOOKS, workers: 1 },
    { name: 'looks', testMatch: LOOKS, fullyParallel: true, dependencies: ['does'] },
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
    launchOptions: { executablePath: CHROMIUM, args: QUIETLY },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Tallinn',
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // Without a film of every test: that costs more than the tests.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
})
