import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { startRealProvider } from '@plantroom/cloud/access/oidc/testing/real-provider'
import { freePort } from '@plantroom/testkit/free-port'
import { test as base } from '@playwright/test'
import { ownFolder } from '../support/folder.ts'
import { startPart } from '../support/part.ts'
import { lookAt } from './support/look.ts'
import { accountMenu, expect, LONG } from './support/test.ts'

interface Fixtures {
  service: {
    baseUrl: string
    provider: Awaited<ReturnType<typeof startRealProvider>>
    invite(email: string): Promise<string>
  }
}

/** A cloud and a provider on another site, so that the browser applies its rules for cookies between sites. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used.
  service: async ({}, use) => {
    await using folder = ownFolder()
    const port = await freePort()
    const baseUrl = `http://127.0.0.1:${port}`
    const provider = await startRealProvider({ publicUrl: baseUrl, host: 'localhost' })
    const { settings } = provider
    const cloud = await startPart<{ adminToken: string }>('cloud', () => ({
      PLANTROOM_DATA: folder.path,
      PLANTROOM_PORT: String(port),
      PLANTROOM_MQTT_PORT: '0',
      PLANTROOM_PUBLIC_URL: baseUrl,
      PLANTROOM_OIDC_ISSUER: provider.issuer,
      PLANTROOM_OIDC_CLIENT_ID: settings.clientId,
      PLANTROOM_OIDC_CLIENT_SECRET: settings.clientSecret,
      PLANTROOM_OIDC_NAME: settings.name,
    }))
    const operator = createClient(sendWithToken(baseUrl, cloud.ready.adminToken))
    const { id: orgId } = await operator.addOrganization({ body: { name: 'Tallinn Housing' } })
    const invite = async (email: string) =>
      (await operator.addMember({ orgId, body: { email, role: 'admin' } })).link ?? ''
    await use({ baseUrl, provider, invite })
    await cloud.stop()
    await provider.stop()
  },
})

test('people accept an invitation, sign in and link through the provider, and a stranger does not', {
  tag: LONG,
}, async ({ page, browser, service }) => {
  const { baseUrl, provider, invite } = service
  const mari = { email: 'mari@example.com', password: '' }
  provider.become({ sub: 'mari', email: 'mari@sso.example', email_verified: true })
  await page.goto(await invite(mari.email))
  await page.getByRole('button', { name: 'Accept with Example SSO' }).click()
  await expect(accountMenu(page, mari)).toBeVisible()
  await page.goto(`${baseUrl}/account`)
  await expect(page.getByText('linked as mari@sso.example')).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await accountMenu(page, mari).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await expect(page.getByText('linked as mari@sso.example')).toBeVisible()

  const other = await browser.newPage()
  provider.become({ sub: 'stranger', email: mari.email, email_verified: true })
  await other.goto(baseUrl)
  await other.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await expect(other.getByRole('alert')).toContainText('not linked with an account here')
  await lookAt(other)
  await other.context().clearCookies()

  const jaan = { email: 'jaan@example.com', password: 'correct horse battery' }
  await other.goto(await invite(jaan.email))
  await other.getByRole('textbox', { name: 'New password', exact: true }).fill(jaan.password)
  await other.getByRole('textbox', { name: 'Repeat the new password' }).fill(jaan.password)
  await other.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(accountMenu(other, jaan)).toBeVisible()
  await other.goto(`${baseUrl}/account`)
  provider.become(undefined)
  await other.getByRole('button', { name: 'Link Example SSO', exact: true }).click()
  await expect(other.getByRole('alert')).toContainText('You cancelled')
  provider.become({ sub: 'jaan', email: 'jaan@sso.example' })
  await other.getByRole('button', { name: 'Link Example SSO', exact: true }).click()
  await expect(other.getByText('linked as jaan@sso.example')).toBeVisible()
  await other.getByRole('button', { name: 'Unlink Example SSO' }).click()
  await expect(other.getByRole('button', { name: 'Link Example SSO', exact: true })).toBeVisible()
  await other.close()
})
