import type { Route } from '../route.ts'
import { activityRoutes } from './activity.ts'
import { administrationRoutes } from './administration.ts'
import { alertRoutes } from './alerts.ts'
import { automaticExportRoutes } from './automatic-exports.ts'
import { commissioningRecordRoutes } from './commissioning-record.ts'
import { conversionRoutes } from './conversions.ts'
import { commandRoutes, deviceRoutes } from './devices.ts'
import { discoveryRoutes } from './discovery.ts'
import { factorRoutes } from './factors.ts'
import { fleetRoutes } from './fleet.ts'
import { gettingStartedRoutes } from './getting-started.ts'
import { keyRoutes } from './keys.ts'
import { limitRoutes } from './limits.ts'
import { measurementRoutes } from './measurements.ts'
import { memberRoutes } from './members.ts'
import { oidcRoutes } from './oidc.ts'
import { openadrRoutes } from './openadr.ts'
import { operationRoutes } from './operation.ts'
import { outputTestRoutes } from './output-tests.ts'
import { packageRoutes } from './packages.ts'
import { portfolioRoutes } from './portfolio.ts'
import { problemReportRoutes } from './problem-report.ts'
import { pushRoutes } from './push.ts'
import { requestCodeRoutes } from './request-codes.ts'
import { requestPartRoutes } from './request-parts.ts'
import { requestRoutes } from './requests.ts'
import { signInRoutes } from './sign-in.ts'
import { siteListRoutes } from './site-lists.ts'
import { templateRoutes } from './templates.ts'
import { uploadRoutes } from './uploads.ts'
import { webhookRoutes } from './webhooks.ts'

export type { Replacement } from '../replacement.ts'
export type { Device, Site } from './administration.ts'
export {
  type CommissioningRecord,
  MAX_RECORDED_TESTS,
  type RecordedTest,
  SignedRecord,
} from './commissioning-record.ts'
export type {
  Factors,
  OwnPasskey,
  Proof,
  SecondFactorMethod,
  SecondFactorNeeded,
  SignInAnswer,
  VerifyMethod,
} from './factors.ts'
export type { GettingStartedSteps } from './getting-started.ts'
export { type ApiKey, MAX_OVERLAP_SECONDS, type ReleasedOverrides } from './keys.ts'
export {
  MAX_POINTS,
  type MeasurementPage,
  type MeasurementSteps,
  pageOf,
  type RecentValues,
  stepsOf,
} from './measurements.ts'
export type { ProviderProblem, SignInMethods } from './oidc.ts'
export type { MeterSign, OutputTest } from './output-tests.ts'
export type { FilledRequest, PackageFinding } from './packages.ts'
export { MAX_REPORTED, type ProblemReport } from './problem-report.ts'
export type { RequestCode } from './request-codes.ts'
export type { Mentionable } from './request-parts.ts'
export {
  type ChangeOutcome,
  type GivenAttachments,
  MAX_CHANGED,
  REQUEST_SORTS,
  type RequestChanges,
  RequestDetails,
  type RequestSort,
  type RequestView,
  type ShownTicket,
  SORT_ORDERS,
  type SortOrder,
} from './requests.ts'
export type { OpenSession } from './sign-in.ts'
export type { OutboxMail, SitePerson } from './site-lists.ts'

/** The whole HTTP API, by the name of the operation. */
export const API = {
  ...commandRoutes,
  ...deviceRoutes,
  ...outputTestRoutes,
  ...discoveryRoutes,
  ...templateRoutes,
  ...commissioningRecordRoutes,
  ...fleetRoutes,
  ...limitRoutes,
  ...openadrRoutes,
  ...portfolioRoutes,
  ...measurementRoutes,
  ...packageRoutes,
  ...uploadRoutes,
  ...automaticExportRoutes,
  ...conversionRoutes,
  ...requestRoutes,
  ...siteListRoutes,
  ...requestPartRoutes,
  ...requestCodeRoutes,
  ...pushRoutes,
  ...administrationRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...gettingStartedRoutes,
  ...problemReportRoutes,
  ...activityRoutes,
  ...alertRoutes,
  ...webhookRoutes,
  ...signInRoutes,
  ...factorRoutes,
  ...oidcRoutes,
  ...operationRoutes,
} as const satisfies Record<string, Route>
export type Api = typeof API
