import { Button, Divider } from '@mantine/core'
import { api } from '../../api/service.ts'
import { providerAddress, useGoToProvider, useProviderName } from '../../api/use-providers.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { format } from '../../texts/format.ts'
import { providers as texts } from '../../texts/providers.ts'

/** Signs in through the provider and returns to the page that asked for it. Shown only where the service has one. */
export function SignInWithProvider({ returnTo }: { returnTo: string }) {
  const name = useProviderName()
  if (name === undefined) return null
  return (
    <>
      <Divider label={texts.or} />
      <Button component="a" href={providerAddress(returnTo)} size="md" variant="default" fullWidth>
        {format(texts.signIn, { name })}
      </Button>
    </>
  )
}

/** Accepts an invitation through the provider instead of with a password. */
export function AcceptWithProvider({ token }: { token: string }) {
  const name = useProviderName()
  // In the body, because addresses end up in logs.
  const accept = useGoToProvider(() => api.acceptWithProvider({ body: { token } }))
  if (name === undefined) return null
  return (
    <>
      <Divider label={texts.or} />
      {accept.error && <ErrorNotice error={accept.error} title={texts.acceptFailed} />}
      <Button size="md" variant="default" fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        {format(texts.accept, { name })}
      </Button>
    </>
  )
}
