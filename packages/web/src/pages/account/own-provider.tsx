import { Button, Stack, Text } from '@mantine/core'
import type { SignInMethods } from '@plantroom/contract/api'
import { api } from '../../api/service.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { useGoToProvider } from '../../api/use-providers.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { ProviderProblem } from '../../parts/provider-problem.tsx'
import { CardSection } from '../../parts/section.tsx'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { providers } from '../../texts/providers.ts'

const texts = providers.methods

/** Whether the person is linked with the provider, and the buttons to change it. Shown only where there is one. */
export function OwnProvider() {
  const methods = useOperation('listSignInMethods', {}).data
  const provider = methods?.providers[0]
  if (!methods || !provider) return null
  return (
    <CardSection id="own-provider" title={texts.title}>
      <Stack align="flex-start">
        <ProviderProblem name={provider.name} title={texts.failedTitle} />
        <Provider provider={provider} hasPassword={methods.hasPassword} />
      </Stack>
    </CardSection>
  )
}

function Provider({ provider, hasPassword }: { provider: SignInMethods['providers'][number]; hasPassword: boolean }) {
  const { name, account, linkedAt } = provider
  const link = useGoToProvider(() => api.linkProvider())
  const unlink = useChange('unlinkProvider')
  const error = link.error ?? unlink.error
  const notice = error && <ErrorNotice error={error} title={texts.failedTitle} />
  if (linkedAt === null) {
    return (
      <>
        <Text>{format(texts.notLinked, { name })}</Text>
        {notice}
        <Button loading={link.isPending} onClick={() => link.mutate()}>
          {format(texts.link, { name })}
        </Button>
      </>
    )
  }
  const time = fullTime(linkedAt, ownTimeZone())
  return (
    <>
      <Text>
        {account === null ? format(texts.linked, { name, time }) : format(texts.linkedAs, { name, account, time })}
      </Text>
      {hasPassword ? (
        <>
          <Text c="dimmed">{format(texts.unlinkHint, { name })}</Text>
          {notice}
          <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate({})}>
            {format(texts.unlink, { name })}
          </Button>
        </>
      ) : (
        <Text c="dimmed">{format(texts.noPassword, { name })}</Text>
      )}
    </>
  )
}
