import { join } from 'node:path'
import { ROOT } from '../../support/environment.ts'

/** The results of the browser tests, ignored by git. */
export const RESULTS = join(ROOT, 'test-results')
