/** Checks of what the service depends on. */
export { checkProvider, checkTraces } from './address-checks.ts'
export { checkAnnouncements, checkDatabase, checkWorker, DATABASE_REMEDY, withClient } from './database-checks.ts'
export { type Answerer, whoAnswers } from './own-service.ts'
export { checkBroker, checkPublicUrl } from './service-checks.ts'
