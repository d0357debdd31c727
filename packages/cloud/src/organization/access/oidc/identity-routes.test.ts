import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asOperator } from '../../../testing/cloud.ts'
import { PASSWORD, signIn as signInWithPassword } from '../testing/people.ts'
import { PENDING_COOKIE } from './pending-sign-in.ts'
import { isCallback, openBrowser, PUBLIC_URL } from './testing/browser.ts'
import { cookieIn, newAccount, newAddress, START, startOidcService, whoIs } from './testing/service.ts'

type Service = Awaited<ReturnType<typeof startOidcService>>
let service: Service
let cloud: Service['cloud']
/** The same service, whose operator links by verified address. */
let cloudByEmail: Service['cloud']
let db: Service['db']
let provider: Service['provider']
let tenant: Service['tenant']

beforeAll(async () => {
  service = await startOidcService([{ linkByVerifiedEmail: true }])
  ;({ cloud, db, provider, tenant } = service)
  cloudByEmail = service.otherClouds[0] ?? cloud
})
afterAll(() => service?.stop())

describe('linking the provider', () => {
  test('needs a page of our own, a session and a recent sign-in', async () => {
    const { browser, userId } = await service.addSignedIn()
    expect((await openBrowser(cloud).call('POST', START)).status).toBe(401)
    const foreign = await fetch(`${cloud.ready.baseUrl}${START}`, {
      method: 'POST',
      headers: { cookie: browser.cookies(), origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    await db
      .updateTable('user_session')
      .set({ verified_at: new Date(Date.now() - 16 * 60_000) })
      .where('user_id', '=', userId)
      .execute()
    const late = await browser.call('POST', START)
    expect([late.status, late.body.code]).toEqual([403, 'RECENT_SIGN_IN_REQUIRED'])
    expect((await browser.call('DELETE', START)).status).toBe(403)
  })

  test('links only the account of the session that began', async () => {
    const attacker = await service.addSignedIn()
    const victim = await service.addSignedIn()
    const account = newAccount()
    provider.become(account)
    const { body } = await attacker.browser.call('POST', START)
    const { url } = await attacker.browser.open(String(body.url), { stopAt: isCallback })
    const pending = cookieIn(attacker.browser, PENDING_COOKIE)
    victim.browser.setCookie(PENDING_COOKIE, pending)
    expect((await victim.browser.open(url.href)).url.href).toBe(`${PUBLIC_URL}/account?problem=changed`)
    expect((await service.signIn(account)).landed).toBe('/sign-in?problem=not-linked')
  })

  test('refuses an identity of someone else, and a second identity', async () => {
    const first = await service.addLinked()
    const second = await service.addSignedIn()
    expect((await service.link(second.browser, first.account)).search).toBe('?problem=taken')
    expect((await service.signIn(first.account)).who).toBe(first.email)
    const again = openBrowser(cloud)
    again.setCookie(SESSION_COOKIE, cookieIn(first.browser, SESSION_COOKIE))
    expect((await service.link(again, newAccount())).search).toBe('?problem=already-linked')
  })

  test('is undone by unlinking, which ends the sessions that it opened', async () => {
    const { account, browser, email } = await service.addLinked()
    const elsewhere = await service.signIn(account)
    expect(elsewhere.who).toBe(email)
    expect((await browser.call('DELETE', START)).status).toBe(204)
    expect([await whoIs(elsewhere.browser), await whoIs(browser)]).toEqual([undefined, email])
    expect((await service.signIn(account)).landed).toBe('/sign-in?problem=not-linked')
  })

  test('is undone by a password link, so that the owner of the address gets rid of everyone else', async () => {
    const { account, email, userId } = await service.addLinked()
    const elsewhere = await service.signIn(account)
    const { body } = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/members/${userId}/link`)
    const token = String(body.link).split('#')[1]
    const accepted = await openBrowser(cloud).call('PUT', '/api/invitation', { token, password: `${PASSWORD} new` })
    expect(accepted.status).toBe(200)
    expect([(await service.signIn(account)).landed, await whoIs(elsewhere.browser)]).toEqual([
      '/sign-in?problem=not-linked',
      undefined,
    ])
    expect((await signInWithPassword(cloud, email, `${PASSWORD} new`)).status).toBe(200)
  })
})

describe('an invitation', () => {
  test('is accepted through the provider, without a password', async () => {
    const [email, account] = [newAddress(), newAccount()]
    const { token } = await service.invite(email)
    const { landed, who, browser } = await service.accept(token, account)
    expect([landed, who]).toEqual(['/', email])
    expect((await service.signIn(account)).who).toBe(email)
    expect((await browser?.call('GET', '/api/session/methods'))?.body).toMatchObject({ hasPassword: false })
    expect((await signInWithPassword(cloud, email, '')).status).toBe(401)
    expect(await service.accept(token, newAccount())).toMatchObject({ status: 404 })
  })

  test('leaves an account whose only way to sign in cannot be unlinked', async () => {
    const account = newAccount()
    const { browser } = await service.accept((await service.invite(newAddress())).token, account)
    const unlinked = await browser?.call('DELETE', START)
    expect([unlinked?.status, unlinked?.body.message]).toEqual([409, expect.stringContaining('only way to sign in')])
    expect((await service.signIn(account)).landed).toBe('/')
  })

  test('of another organization never sets a password for an account that signs in through the provider', async () => {
    const [email, account] = [newAddress(), newAccount()]
    await service.accept((await service.invite(email)).token, account)
    const { token } = await service.invite(email, service.otherTenant.orgId)
    const attacker = openBrowser(cloud)
    expect((await attacker.call('POST', '/api/invitation', { token })).body.purpose).toBe('join')
    const taken = await attacker.call('PUT', '/api/invitation', { token, password: PASSWORD })
    expect([taken.status, taken.body.message]).toEqual([409, expect.stringContaining('sign in')])
    expect((await service.accept(token, newAccount())).landed).toBe('/sign-in?problem=not-linked')
    // Another account cannot accept it, either.
    const { account: other } = await service.addLinked()
    const { landed, browser } = await service.accept(token, other)
    expect(landed).toBe('/account?problem=other-invitation')
    expect((await browser.call('GET', '/api/session')).body.organizations).not.toContainEqual(
      expect.objectContaining({ id: service.otherTenant.orgId }),
    )
    const joined = await service.accept(token, account)
    expect([joined.landed, joined.who]).toEqual(['/', email])
    const { body } = await joined.browser.call('GET', '/api/session')
    expect(body.organizations).toHaveLength(2)
  })

  test('cannot be accepted by an identity that has an account, nor twice at the same time', async () => {
    const linked = await service.addLinked()
    const { token } = await service.invite(newAddress())
    expect((await service.accept(token, linked.account)).landed).toBe('/sign-in?problem=taken')
    const [one, other] = [newAccount(), newAccount()]
    const browsers = [openBrowser(cloud), openBrowser(cloud)]
    const callbacks: string[] = []
    for (const [place, account] of [one, other].entries()) {
      provider.become(account)
      const started = await browsers[place]?.call('POST', '/api/invitation/oidc', { token })
      callbacks.push((await browsers[place]?.open(String(started?.body.url), { stopAt: isCallback }))?.url.href ?? '')
    }
    const landed = await Promise.all(browsers.map((browser, place) => browser.open(callbacks[place] ?? '')))
    expect(landed.map(({ url }) => url.pathname + url.search).toSorted()).toEqual([
      '/',
      '/sign-in?problem=invitation-over',
    ])
  })

  test('adds no way in once the person has accepted that of another organization', async () => {
    const email = newAddress()
    const [own, others] = [await service.invite(email), await service.invite(email, service.otherTenant.orgId)]
    const [attacker, account] = [openBrowser(cloud), newAccount()]
    provider.become(account)
    const { body } = await attacker.call('POST', '/api/invitation/oidc', { token: others.token })
    const { url } = await attacker.open(String(body.url), { stopAt: isCallback })
    const person = openBrowser(cloud)
    await person.call('PUT', '/api/invitation', { token: own.token, password: PASSWORD })
    expect((await attacker.open(url.href)).url.search).toBe('?problem=invitation-over')
    expect([await whoIs(attacker), await whoIs(person)]).toEqual([undefined, email])
    expect((await service.signIn(account)).landed).toBe('/sign-in?problem=not-linked')
  })

  test('does not survive being withdrawn while the person is at the provider', async () => {
    const { token, userId } = await service.invite(newAddress())
    const account = newAccount()
    provider.become(account)
    const browser = openBrowser(cloud)
    const { body } = await browser.call('POST', '/api/invitation/oidc', { token })
    const { url } = await browser.open(String(body.url), { stopAt: isCallback })
    await asOperator(cloud, 'DELETE', `/api/orgs/${tenant.orgId}/members/${userId}`)
    expect((await browser.open(url.href)).url.search).toBe('?problem=invitation-over')
    expect((await service.signIn(account)).landed).toBe('/sign-in?problem=not-linked')
  })
})

describe('where the operator links by verified address', () => {
  const at = () => ({ at: cloudByEmail })
  const setByMail = (userId: string) =>
    db.updateTable('user_account').set({ password_by_mail: true }).where('id', '=', userId).execute()

  test('an invited person signs in and then joins without the link', async () => {
    const email = newAddress()
    await service.invite(email)
    const account = newAccount(email.toUpperCase())
    const { who, browser } = await service.signIn(account, at())
    expect(who).toBe(email)
    expect((await browser.call('GET', '/api/session')).body.organizations).toEqual([])
    const joined = await browser.call('PUT', `/api/session/invitations/${tenant.orgId}`)
    expect([joined.status, joined.body.organizations]).toEqual([200, [expect.objectContaining({ id: tenant.orgId })]])
    expect((await service.signIn(account)).who).toBe(email)
  })

  test('an account whose password only the owner of the address can have set is linked', async () => {
    const { email, userId } = await service.addSignedIn()
    await setByMail(userId)
    expect((await service.signIn(newAccount(email), at())).who).toBe(email)
    const mails = await db.selectFrom('mail').where('recipient', '=', email).select('subject').execute()
    expect(mails).toEqual([{ subject: 'Example SSO was linked with your Plantroom account' }])
  })

  test('an account whose password someone else may know is not', async () => {
    const { email } = await service.addSignedIn()
    expect((await service.signIn(newAccount(email), at())).landed).toBe('/sign-in?problem=not-linked')
  })

  test('an address that the provider has not verified links nothing', async () => {
    const { email, userId } = await service.addSignedIn()
    await setByMail(userId)
    const account = { ...newAccount(email), email_verified: false }
    expect((await service.signIn(account, at())).landed).toBe('/sign-in?problem=not-linked')
  })

  test('an account that has an identity keeps it', async () => {
    const { email, userId, account } = await service.addLinked()
    await setByMail(userId)
    expect((await service.signIn(newAccount(email), at())).landed).toBe('/sign-in?problem=not-linked')
    expect((await service.signIn(account, at())).who).toBe(email)
  })

  test('nobody gets an account without an invitation', async () => {
    expect((await service.signIn(newAccount(), at())).landed).toBe('/sign-in?problem=not-linked')
  })
})
