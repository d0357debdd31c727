import { type DemoJson, readDemoJson } from '../../support/demo.ts'

/** The environment variable with the data folder of the demo that the tests use. */
export const DEMO_FOLDER = 'PLANTROOM_TEST_DEMO'

/** Reads the demo's current state: a process that was killed has a new pid. */
export function currentDemo(): DemoJson {
  const folder = process.env[DEMO_FOLDER]
  if (folder === undefined) throw new Error(`${DEMO_FOLDER} is not set: run the browser tests with playwright`)
  return readDemoJson(folder)
}
