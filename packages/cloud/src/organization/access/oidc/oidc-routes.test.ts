import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createQuotaStore, quotaSubject } from '../quota-store.ts'
import { codeOf, setUpTotp } from '../testing/factors.ts'
import { PENDING_COOKIE } from './pending-sign-in.ts'
import { isCallback, openBrowser, PUBLIC_URL } from './testing/browser.ts'
import { startLyingProvider } from './testing/lying-provider.ts'
import { cookieIn, newAccount, START, startOidcService, whoIs } from './testing/service.ts'

type Service = Awaited<ReturnType<typeof startOidcService>>
let liar: Awaited<ReturnType<typeof startLyingProvider>>
let service: Service
let cloud: Service['cloud']
/** The same service, whose provider is the liar. */
let cloudOfLiar: Service['cloud']
let db: Service['db']

beforeAll(async () => {
  liar = await startLyingProvider()
  service = await startOidcService([liar.settings])
  ;({ cloud, db } = service)
  cloudOfLiar = service.otherClouds[0] ?? cloud
})
afterAll(async () => {
  await service?.stop()
  await liar?.stop()
})
beforeEach(() => liar.lie({}))

describe('signing in through the provider', () => {
  test('opens a session for the linked account, wherever the browser is', async () => {
    const { account, email, userId } = await service.addLinked()
    const { landed, who, browser } = await service.signIn(account, { path: `${START}?returnTo=%2Faccount%3Fx%3D1` })
    expect([landed, who]).toEqual(['/account?x=1', email])
    expect(browser.cookies()).not.toContain(PENDING_COOKIE)
    const session = await db
      .selectFrom('user_session')
      .where('user_id', '=', userId)
      .where('issuer', 'is not', null)
      .select(['issuer', 'amr', 'acr', 'second_factor'])
      .execute()
    expect(session).toEqual([{ issuer: `${service.provider.issuer}/`, amr: [], acr: null, second_factor: false }])
    const { body } = await browser.call('GET', '/api/session/methods')
    expect(body).toEqual({
      hasPassword: true,
      providers: [
        { name: 'Example SSO', account: account.email, linkedAt: expect.any(String), lastUsedAt: expect.any(String) },
      ],
    })
  })

  test('keeps how the provider authenticated the person with the session', async () => {
    const { userId, browser } = await service.addSignedIn()
    liar.lie({ claims: { sub: userId, amr: ['pwd', 'mfa'], acr: 'high' } })
    const own = openBrowser(cloudOfLiar)
    own.setCookie(SESSION_COOKIE, cookieIn(browser, SESSION_COOKIE))
    const { body } = await own.call('POST', START)
    expect((await own.open(String(body.url))).url.search).toBe('')
    await openBrowser(cloudOfLiar).open(START)
    const rows = await db
      .selectFrom('user_session')
      .where('user_id', '=', userId)
      .select(['amr', 'acr', 'second_factor'])
      .execute()
    expect(rows).toContainEqual({ amr: ['pwd', 'mfa'], acr: 'high', second_factor: true })
  })

  test('asks people who have a second factor here for it, unless the provider had one', async () => {
    const { account, email, browser, userId } = await service.addLinked()
    const headers = { cookie: browser.cookies(), origin: PUBLIC_URL }
    const { secret } = await setUpTotp(cloud, headers)
    const { landed, who, browser: own } = await service.signIn(account)
    expect([landed, who]).toEqual(['/sign-in?step=second-factor', undefined])
    const asked = await own.call('POST', '/api/session/second-factor/options')
    expect(asked.body).toEqual({ secondFactor: { methods: ['totp', 'recovery-code'] } })
    await db.updateTable('totp').set({ last_step: 0 }).where('user_id', '=', userId).execute()
    const done = await own.call('POST', '/api/session/second-factor', { code: await codeOf(secret) })
    expect([done.status, await whoIs(own)]).toEqual([200, email])
    const opened = () =>
      db.selectFrom('user_session').where('user_id', '=', userId).where('issuer', 'is not', null).selectAll().execute()
    expect(await opened()).toMatchObject([{ issuer: `${service.provider.issuer}/`, second_factor: true }])
    expect((await openBrowser(cloud).call('POST', '/api/session/second-factor/options')).status).toBe(404)
    // Unlinked in between, the second step opens nothing.
    const late = await service.signIn(account)
    expect((await browser.call('DELETE', START)).status).toBe(204)
    await db.updateTable('totp').set({ last_step: 0 }).where('user_id', '=', userId).execute()
    const refused = await late.browser.call('POST', '/api/session/second-factor', { code: await codeOf(secret) })
    expect([refused.status, await whoIs(late.browser)]).toEqual([401, undefined])
    expect(await opened()).toEqual([])
  })

  test('does not sign in someone whose identity is not linked, whatever address the provider names', async () => {
    const victim = await service.addSignedIn()
    await db.updateTable('user_account').set({ password_by_mail: true }).where('id', '=', victim.userId).execute()
    const { landed, who } = await service.signIn(newAccount(victim.email))
    expect([landed, who]).toEqual(['/sign-in?problem=not-linked', undefined])
    const nobody = await service.signIn(newAccount())
    expect([nobody.landed, nobody.who]).toEqual(['/sign-in?problem=not-linked', undefined])
  })

  test('does not accept the same subject of another provider', async () => {
    const { account, email } = await service.addLinked()
    liar.lie({ claims: { sub: account.sub, email, email_verified: true } })
    const { landed, who } = await service.signIn(undefined, { at: cloudOfLiar })
    expect([landed, who]).toEqual(['/sign-in?problem=not-linked', undefined])
  })

  test('says when the person cancels at the provider', async () => {
    expect((await service.signIn(undefined)).landed).toBe('/sign-in?problem=denied')
  })

  test('says when the provider fails', async () => {
    liar.lie({ token: 'error' })
    expect((await service.signIn(undefined, { at: cloudOfLiar })).landed).toBe('/sign-in?problem=unreachable')
    liar.lie({ claims: { exp: 1 } })
    expect((await service.signIn(undefined, { at: cloudOfLiar })).landed).toBe('/sign-in?problem=clock')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example', '/api/session'])(
    'never sends people to %s',
    async (returnTo) => {
      const { account } = await service.addLinked()
      const path = `${START}?${new URLSearchParams({ returnTo })}`
      expect((await service.signIn(account, { path })).landed).toBe('/')
    },
  )

  test('does not begin because another site asks for it', async () => {
    const browser = openBrowser(cloud)
    const { url } = await browser.open(START, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect([url.pathname, browser.cookies()]).toEqual(['/sign-in', ''])
  })

  test('is limited for a network whose sign-ins fail', async () => {
    const { account, email } = await service.addLinked()
    const quotas = createQuotaStore(db)
    const subject = quotaSubject(['provider-failure', '127.0.0.1'])
    const period = { now: new Date(), periodEnd: new Date(Date.now() + 60_000), limit: 300 }
    for (let count = 0; count < 300; count += 1) await quotas.count(subject, period)
    expect((await service.signIn(account)).landed).toBe('/sign-in?problem=too-many')
    await quotas.clear(subject)
    expect((await service.signIn(account)).who).toBe(email)
  })
})

describe('an answer of the provider', () => {
  const stopAt = isCallback

  test('counts only in the browser that asked (login CSRF)', async () => {
    const attacker = await service.addLinked()
    service.provider.become(attacker.account)
    const { url } = await openBrowser(cloud).open(START, { stopAt })
    const victim = openBrowser(cloud)
    expect((await victim.open(url.href)).url.search).toBe('?problem=expired')
    expect(await whoIs(victim)).toBeUndefined()
    // Nor when the victim is at the provider, too.
    const busy = openBrowser(cloud)
    await busy.open(START, { stopAt })
    expect((await busy.open(url.href)).url.search).toBe('?problem=expired')
    expect(await whoIs(busy)).toBeUndefined()
  })

  test('counts once, also when the provider would take its code again', async () => {
    const { userId, browser } = await service.addSignedIn()
    await db
      .insertInto('user_identity')
      .values({
        issuer: `${liar.issuer}/`,
        subject: 'replayed',
        user_id: userId,
        email: null,
        linked_at: new Date(),
        last_used_at: null,
      })
      .execute()
    liar.lie({ claims: { sub: 'replayed' } })
    const own = openBrowser(cloudOfLiar)
    const { url } = await own.open(START, { stopAt })
    const pending = cookieIn(own, PENDING_COOKIE)
    expect((await own.open(url.href)).url.pathname).toBe('/')
    const thief = openBrowser(cloudOfLiar)
    thief.setCookie(PENDING_COOKIE, pending)
    expect((await thief.open(url.href)).url.search).toBe('?problem=expired')
    expect([await whoIs(thief), await whoIs(browser)]).toEqual([undefined, expect.any(String)])
  })

  test('with a code that a real provider has seen is refused by it', async () => {
    const { account } = await service.addLinked()
    service.provider.become(account)
    const own = openBrowser(cloud)
    const { url } = await own.open(START, { stopAt })
    const pending = cookieIn(own, PENDING_COOKIE)
    await own.open(url.href)
    const thief = openBrowser(cloud)
    thief.setCookie(PENDING_COOKIE, pending)
    expect((await thief.open(url.href)).url.search).toBe('?problem=expired')
  })

  test('with a state but no code, or an invented error, opens nothing', async () => {
    const browser = openBrowser(cloud)
    const { url } = await browser.open(START, { stopAt: (next) => next.origin === service.provider.issuer })
    const state = url.searchParams.get('state') ?? ''
    const callback = `${START}/callback`
    expect((await browser.open(`${callback}?state=${state}`)).url.search).toBe('?problem=failed')
    expect((await openBrowser(cloud).open(`${callback}?error=access_denied&state=${state}`)).url.search).toBe(
      '?problem=expired',
    )
    expect((await openBrowser(cloud).open(callback)).url.search).toBe('?problem=expired')
  })
})
