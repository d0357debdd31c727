import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import type { SignedIn } from '@plantroom/contract/roles'
import { expect } from 'vitest'
import type { CloudConfig } from '../../../../config.ts'
import type { OidcSettings } from '../../../../oidc-config.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { addTenant, asOperator, startTestCloud } from '../../../../testing/cloud.ts'
import { addPerson } from '../../testing/people.ts'
import { openBrowser, PUBLIC_URL } from './browser.ts'
import { type ProviderAccount, startRealProvider } from './real-provider.ts'

export const START = '/api/session/oidc'

type Browser = ReturnType<typeof openBrowser>
type TestCloud = Awaited<ReturnType<typeof startTestCloud>>

export const newAddress = () => `${newId('person')}@example.com`
export const newAccount = (email = newAddress()): ProviderAccount => ({
  sub: newId('sub'),
  email,
  email_verified: true,
})

/** Returns the value of a cookie of a browser. */
export const cookieIn = (browser: Browser, name: string) => browser.cookies().split(`${name}=`)[1]?.split(';')[0] ?? ''

/** Who is signed in in a browser. */
export async function whoIs(browser: Browser): Promise<string | undefined> {
  const { body } = await browser.call('GET', '/api/session')
  return (body as unknown as Partial<SignedIn>).user?.email
}

async function startCloud(changes: Partial<CloudConfig>): Promise<TestCloud> {
  const started = await startTestCloud({ publicUrl: PUBLIC_URL, ...changes })
  // Tests reach it at its port, people at its public address.
  return { ...started, ready: { ...started.ready, baseUrl: `http://127.0.0.1:${started.ready.port}` } }
}

/**
 * A service with two organizations and a real provider, and the same service with other settings of a provider, which
 * also sends mail.
 */
export async function startOidcService(others: readonly Partial<OidcSettings>[] = []) {
  const provider = await startRealProvider()
  const cloud = await startCloud({ oidc: provider.settings })
  const databaseUrl = cloud.config.databaseUrl ?? ''
  const db = openDatabase({ connectionString: databaseUrl }, createLog('test', 'silent'))
  const otherClouds: TestCloud[] = []
  const smtp = { url: 'smtp://127.0.0.1:9', from: 'plantroom@example.com' }
  for (const other of others) {
    otherClouds.push(await startCloud({ oidc: { ...provider.settings, ...other }, databaseUrl, smtp }))
  }
  const tenant = await addTenant(cloud, 'Organization')
  const otherTenant = await addTenant(cloud, 'Other organization')

  /** A browser in which someone is signed in with a password. */
  async function addSignedIn(email = newAddress()) {
    const { userId, headers } = await addPerson(cloud, tenant.orgId, email, { role: 'admin' })
    const browser = openBrowser(cloud)
    browser.setCookie(SESSION_COOKIE, headers.cookie.split('=')[1] ?? '')
    return { email, userId, browser }
  }

  async function link(browser: Browser, account: ProviderAccount) {
    provider.become(account)
    const { status, body } = await browser.call('POST', START)
    expect(status).toBe(200)
    return (await browser.open(String(body.url))).url
  }

  return {
    provider,
    cloud,
    otherClouds,
    db,
    tenant,
    otherTenant,
    addSignedIn,
    link,

    /** Someone whose account is linked with an identity at the provider. */
    async addLinked() {
      const account = newAccount()
      const person = await addSignedIn()
      expect(String(await link(person.browser, account))).toBe(`${PUBLIC_URL}/account`)
      return { account, ...person }
    },

    /** Signs in through the provider as this account; none: the person cancels. */
    async signIn(account: ProviderAccount | undefined, { at = cloud, browser = openBrowser(at), path = START } = {}) {
      provider.become(account)
      const { url } = await browser.open(path)
      return { browser, landed: url.pathname + url.search, who: await whoIs(browser) }
    },

    async invite(email: string, orgId = tenant.orgId) {
      const added = await asOperator(cloud, 'POST', `/api/orgs/${orgId}/members`, { email, role: 'admin' })
      return { token: String(added.body.link).split('#')[1] ?? '', userId: String(added.body.userId) }
    },

    /** Accepts an invitation through the provider. */
    async accept(token: string, account: ProviderAccount, browser = openBrowser(cloud)) {
      provider.become(account)
      const { status, body } = await browser.call('POST', '/api/invitation/oidc', { token })
      if (status !== 200) return { status, browser }
      const { url } = await browser.open(String(body.url))
      return { status, landed: url.pathname + url.search, browser, who: await whoIs(browser) }
    },

    async stop() {
      await db.destroy()
      for (const part of [...otherClouds, cloud, provider]) await part.stop()
    },
  }
}
