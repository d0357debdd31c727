import { Container } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { lazy, type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { useSession } from './api/use-session.ts'
import { organizationPath, useSite } from './api/use-site.ts'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { SitePage } from './pages/site/site-page.tsx'
import { ErrorNotice, Loading } from './parts/notices.tsx'
import { useIsSilent } from './parts/use-is-silent.ts'
import { Frame } from './shell/frame.tsx'
import { onlyPageOf } from './shell/only-page.ts'
import { OrganizationShell } from './shell/organization-shell.tsx'
import { SiteShell } from './shell/site-shell.tsx'
import { useAccountLanguage } from './shell/use-account-language.ts'

type AnyPage = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default']

/** A page that few people need first. */
const onDemand = <Name extends string, Module extends Record<Name, AnyPage>>(load: () => Promise<Module>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const SignInPage = onDemand(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage')
const HomePage = onDemand(() => import('./pages/home/home-page.tsx'), 'HomePage')
const AccountPage = onDemand(() => import('./pages/account/account-page.tsx'), 'AccountPage')
const SetUpPage = onDemand(() => import('./pages/sign-in/set-up-page.tsx'), 'SetUpPage')
const ResetPage = onDemand(() => import('./pages/sign-in/reset-page.tsx'), 'ResetPage')
const WelcomePage = onDemand(() => import('./pages/sign-in/welcome-page.tsx'), 'WelcomePage')
const RequestFormPage = onDemand(() => import('./pages/request-form/request-form-page.tsx'), 'RequestFormPage')
const DevicePage = onDemand(() => import('./pages/device/device-page.tsx'), 'DevicePage')
const ReportsPage = onDemand(() => import('./pages/reports/reports-page.tsx'), 'ReportsPage')
const ChartsPage = onDemand(() => import('./pages/charts/charts-page.tsx'), 'ChartsPage')
const RequestsPage = onDemand(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage')
const RequestPage = onDemand(() => import('./pages/requests/request-page.tsx'), 'RequestPage')
const PackagesPage = onDemand(() => import('./pages/packages/packages-page.tsx'), 'PackagesPage')
const ConvertPage = onDemand(() => import('./pages/packages/convert/convert-page.tsx'), 'ConvertPage')
const SiteSettingsPage = onDemand(() => import('./pages/site-settings/site-settings-page.tsx'), 'SiteSettingsPage')
const PeoplePage = onDemand(() => import('./pages/people/people-page.tsx'), 'PeoplePage')
const SystemsPage = onDemand(() => import('./pages/systems/systems-page.tsx'), 'SystemsPage')
const EditorPage = onDemand(() => import('./pages/systems/editor/editor-page.tsx'), 'EditorPage')
const RecordPage = onDemand(() => import('./pages/systems/record/record-page.tsx'), 'RecordPage')
const CalendarPage = onDemand(() => import('./pages/calendar/calendar-page.tsx'), 'CalendarPage')
const SchedulesPage = onDemand(() => import('./pages/systems/schedules/schedules-page.tsx'), 'SchedulesPage')
const EditSchedulesPage = onDemand(() => import('./pages/systems/schedules/edit-page.tsx'), 'EditPage')
const LimitsPage = onDemand(() => import('./pages/limits/limits-page.tsx'), 'LimitsPage')
const OutboxPage = onDemand(() => import('./pages/outbox/outbox-page.tsx'), 'OutboxPage')
const KeysPage = onDemand(() => import('./pages/keys/keys-page.tsx'), 'KeysPage')
const MembersPage = onDemand(() => import('./pages/members/members-page.tsx'), 'MembersPage')
const ActivityPage = onDemand(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage')
const AlertsPage = onDemand(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage')
const DispatchesPage = onDemand(() => import('./pages/dispatches/dispatches-page.tsx'), 'DispatchesPage')
const DispatchPage = onDemand(() => import('./pages/dispatches/dispatch-page.tsx'), 'DispatchPage')
const OpenadrProgramsPage = onDemand(() => import('./pages/openadr/programs-page.tsx'), 'ProgramsPage')
const OpenadrEventsPage = onDemand(() => import('./pages/openadr/events-page.tsx'), 'EventsPage')
const OpenadrReportsPage = onDemand(() => import('./pages/openadr/reports-page.tsx'), 'ReportsPage')
const OpenadrMappingPage = onDemand(() => import('./pages/openadr/mapping/mapping-page.tsx'), 'MappingPage')
const AlertSettingsPage = onDemand(() => import('./pages/alert-settings/alert-settings-page.tsx'), 'AlertSettingsPage')

/** The pages of the console and their addresses. */
export function Routes() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/sign-in">
          <SignInPage />
        </Route>
        <Route path="/setup">
          <SetUpPage />
        </Route>
        <Route path="/reset">
          <ResetPage />
        </Route>
        <Route path="/r/:token">{({ token }) => <RequestFormPage token={token} />}</Route>
        <Route path="/welcome">
          <WelcomePage />
        </Route>
        <Route>
          <SessionGate>
            {(signedIn) => (
              <Switch>
                <Route path="/">
                  <Home signedIn={signedIn} />
                </Route>
                <Route path="/account">
                  <Frame signedIn={signedIn}>
                    <Suspense fallback={<Loading />}>
                      <AccountPage signedIn={signedIn} />
                    </Suspense>
                  </Frame>
                </Route>
                <Route path="/o/:orgId/s/:siteId/*?">
                  {({ orgId, siteId }) => (
                    <SiteShell signedIn={signedIn} orgId={orgId} siteId={siteId} key={siteId}>
                      <SitePages />
                    </SiteShell>
                  )}
                </Route>
                <Route path="/o/:orgId/*?">
                  {({ orgId }) => (
                    <OrganizationShell signedIn={signedIn} orgId={orgId} key={orgId}>
                      {({ name }) => <OrganizationPages organization={name} />}
                    </OrganizationShell>
                  )}
                </Route>
                <Route>
                  <Frame signedIn={signedIn}>
                    <NotFoundPage />
                  </Frame>
                </Route>
              </Switch>
            )}
          </SessionGate>
        </Route>
      </Switch>
    </Suspense>
  )
}

/** Decides before the frame is there: what a person opens in it would go with it. The address `/?all` shows the list. */
function Home({ signedIn }: { signedIn: SignedIn }) {
  const isAll = new URLSearchParams(useSearch()).has('all')
  const only = onlyPageOf(signedIn)
  if (only !== undefined && (only === '/account' || !isAll)) return <Redirect to={only} replace />
  return (
    <Frame signedIn={signedIn}>
      <Suspense fallback={<Loading />}>
        <HomePage signedIn={signedIn} />
      </Suspense>
    </Frame>
  )
}

const SITE = '/o/:orgId/s/:siteId'

function SitePages() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {page('', <SitePage />)}
        <Route path={`${SITE}/devices/:deviceId`}>
          {({ deviceId }) => <DevicePage deviceId={deviceId} key={deviceId} />}
        </Route>
        {page('/alerts', <AlertsPage />)}
        {page('/charts', <ChartsPage />)}
        {page('/calendar', <CalendarPage />)}
        {page('/schedules', <SchedulesPage />)}
        <Route path={`${SITE}/schedules/:deviceId/:systemId`}>
          {({ deviceId, systemId }) => <EditSchedulesPage deviceId={deviceId} systemId={systemId} key={systemId} />}
        </Route>
        {page('/limits', <LimitsPage />)}
        {page('/reports', <ReportsPage />)}
        {page('/requests', <RequestsPage />)}
        <Route path={`${SITE}/requests/:number`}>
          {({ number }) => <RequestPage number={Number(number)} key={number} />}
        </Route>
        {page('/settings/packages', <PackagesPage />)}
        {page('/settings/packages/convert', <ConvertPage />)}
        {page('/settings/site', <SiteSettingsPage />)}
        {page('/settings/people', <PeoplePage />)}
        {page('/settings/systems', <SystemsPage />)}
        <Route path={`${SITE}/settings/systems/:deviceId/commission`}>
          {({ deviceId }) => <EditorPage deviceId={deviceId} key={deviceId} />}
        </Route>
        <Route path={`${SITE}/settings/systems/:deviceId/record`}>
          {({ deviceId }) => <RecordPage deviceId={deviceId} key={deviceId} />}
        </Route>
        {page('/settings/outbox', <OutboxPage />)}
        {Object.entries(MOVED).map(([before, to]) => (
          <Route key={before} path={SITE + before}>
            <Moved to={to} />
          </Route>
        ))}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </Suspense>
  )
}

const ORGANIZATION = '/o/:orgId'

function OrganizationPages({ organization }: { organization: string }) {
  return (
    <Switch>
      <Route path={`${ORGANIZATION}/dispatches`}>
        {({ orgId }) => <DispatchesPage orgId={orgId} organization={organization} />}
      </Route>
      <Route path={`${ORGANIZATION}/dispatches/:dispatchId`}>
        {({ orgId, dispatchId }) => <DispatchPage orgId={orgId} dispatchId={dispatchId} key={dispatchId} />}
      </Route>
      {page('/openadr', <OpenadrProgramsPage />, ORGANIZATION)}
      {page('/openadr/events', <OpenadrEventsPage />, ORGANIZATION)}
      {page('/openadr/reports', <OpenadrReportsPage />, ORGANIZATION)}
      <Route path={`${ORGANIZATION}/openadr/:programId/mapping`}>
        {({ programId }) => <OpenadrMappingPage programId={programId} key={programId} />}
      </Route>
      {page('/members', <MembersPage />, ORGANIZATION)}
      {page('/keys', <KeysPage />, ORGANIZATION)}
      {page('/alert-settings', <AlertSettingsPage />, ORGANIZATION)}
      {page('/activity', <ActivityPage />, ORGANIZATION)}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  )
}

/** Where pages of the organization are that had an address at each site. */
const MOVED = {
  '/settings/keys': '/keys',
  '/settings/members': '/members',
  '/settings/alerts': '/alert-settings',
  '/settings/activity': '/activity',
}

/** Leads an old address to the new one, with its filters. */
function Moved({ to }: { to: string }) {
  const path = organizationPath(useSite().orgId, to)
  const search = useSearch()
  return <Redirect to={search === '' ? path : `${path}?${search}`} replace />
}

const page = (below: string, children: ReactNode, within = SITE) => <Route path={within + below}>{children}</Route>

/** Shows the sign-in form, at the requested address, to people who are not signed in. */
function SessionGate({ children }: { children: (signedIn: SignedIn) => ReactNode }) {
  const session = useSession()
  const isSilent = useIsSilent()
  useAccountLanguage(session.data)
  if (session.data) return children(session.data)
  if (session.data === null) return <SignInPage />
  // Until then the frame of index.html stays.
  if (!session.error && !isSilent) return null
  return (
    <Container component="main" size="sm" py="xl">
      {session.error ? <ErrorNotice error={session.error} retry={session.refetch} /> : <Loading />}
    </Container>
  )
}
