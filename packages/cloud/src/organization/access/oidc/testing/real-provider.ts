import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { PUBLIC_URL } from './browser.ts'

/** A person at the provider. */
export interface ProviderAccount {
  sub: string
  email?: string
  email_verified?: boolean
  amr?: string[]
}

/** A certified provider of others, on this machine. `publicUrl` is the service that people come from. */
export async function startRealProvider({ publicUrl = PUBLIC_URL, host = '127.0.0.1' } = {}) {
  const current: { account: ProviderAccount | undefined } = { account: undefined }
  const accounts = new Map<string, ProviderAccount>()
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const issuer = `http://${host}:${port}`
  const client = { clientId: 'plantroom', clientSecret: 'a-secret-of-the-client-0123456789abcdef' }
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${publicUrl}/api/session/oidc/callback`],
      },
    ],
    cookies: { keys: ['cookie key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    findAccount: (_context, id) => {
      const account = accounts.get(id)
      return account && { accountId: id, claims: () => ({ ...account }) }
    },
    async loadExistingGrant(context) {
      const { oidc } = context
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  }
  const provider = new Provider(issuer, configuration)
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    const { account } = current
    if (account) accounts.set(account.sub, account)
    const result = account
      ? { login: { accountId: account.sub, ...(account.amr && { amr: account.amr }) } }
      : { error: 'access_denied', error_description: 'the person said no' }
    void provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    settings: {
      issuer: `${issuer}/`,
      ...client,
      name: 'Example SSO',
      scopes: 'openid email',
      linkByVerifiedEmail: false,
    },
    /** Who signs in at the provider next; nobody: the person cancels. */
    become: (account: ProviderAccount | undefined) => {
      current.account = account
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
