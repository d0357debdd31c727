/** Checks of what the service depends on. */
export { checkAnnouncements, checkDatabase, checkWorker, DATABASE_REMEDY, withClient } from './database-checks.ts'
export { checkBroker, checkPublicUrl, isOurService } from './service-checks.ts'
