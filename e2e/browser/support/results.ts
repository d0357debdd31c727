import { join } from 'node:path'
import { ROOT } from '../../support/environment.ts'

/** What the browser tests leave for people to look at. Not kept by git. */
export const RESULTS = join(ROOT, 'test-results')
/** Every page, as it looked. */
export const PAGES = join(RESULTS, 'pages')
