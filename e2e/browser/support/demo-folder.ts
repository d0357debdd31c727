import { type DemoJson, readDemoJson } from '../../support/demo.ts'

/** The setting by which the tests learn of the demo that runs for them: its data folder. */
export const DEMO_FOLDER = 'PLANTROOM_TEST_DEMO'

/** As it is now: a part that was killed has another pid. */
export function currentDemo(): DemoJson {
  const folder = process.env[DEMO_FOLDER]
  if (folder === undefined) throw new Error(`${DEMO_FOLDER} is not set: run the browser tests with playwright`)
  return readDemoJson(folder)
}
