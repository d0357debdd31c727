import { Alert, Button, Paper, Stack, Text, Title } from '@mantine/core'
import type { Factors } from '@plantroom/contract/api'
import type { SignedIn } from '@plantroom/contract/roles'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { QueryView } from '../../parts/notices.tsx'
import { CopyAll, ShownOnce } from '../../parts/shown-once.tsx'
import { factors as texts } from '../../texts/factors.ts'
import { format } from '../../texts/format.ts'
import { OwnPasskeys } from './own-passkeys.tsx'
import { SetUpApp } from './set-up-app.tsx'

/** The second factors of the signed-in person. */
export function OwnFactors({ signedIn }: { signedIn: SignedIn }) {
  const query = useOperation('listFactors', {})
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="factors">
      <Title order={2} size="h4" id="factors" mb={4}>
        {texts.title}
      </Title>
      <Text c="dimmed" mb="md">
        {texts.intro}
      </Text>
      <QueryView query={query}>
        {(factors) => {
          const isFirst = !factors.totp && factors.passkeys.length === 0
          return (
            <Stack gap="lg">
              <RequiredBy signedIn={signedIn} isFirst={isFirst} />
              <App isOn={factors.totp} onCodes={setCodes} />
              <OwnPasskeys passkeys={factors.passkeys} onCodes={setCodes} />
              {isFirst ? (
                <Text c="dimmed" size="sm">
                  {texts.endsOthers}
                </Text>
              ) : (
                <RecoveryCodes factors={factors} onCodes={setCodes} />
              )}
            </Stack>
          )
        }}
      </QueryView>
      {codes && (
        <ShownOnce
          title={texts.codes.dialog}
          done={texts.codes.done}
          secret={codes.join('\n')}
          onClose={() => setCodes(undefined)}
        >
          <Text>{texts.codes.store}</Text>
          <CopyAll label={texts.codes.copy} lines={codes} />
        </ShownOnce>
      )}
    </Paper>
  )
}

/** The organizations that are closed to this session until it has a second factor. */
function RequiredBy({ signedIn, isFirst }: { signedIn: SignedIn; isFirst: boolean }) {
  return signedIn.organizations
    .filter(({ secondFactorMissing }) => secondFactorMissing)
    .map(({ id, name }) => (
      <Alert key={id} color="yellow">
        {format(isFirst ? texts.required : texts.requiredAgain, { organization: name })}
      </Alert>
    ))
}

type ShowCodes = (codes: readonly string[]) => void

function App({ isOn, onCodes }: { isOn: boolean; onCodes: ShowCodes }) {
  const [asked, setAsked] = useState<'set-up' | 'turn-off'>()
  const turnOff = useChange('removeTotp', { onSuccess: () => setAsked(undefined) })
  return (
    <Stack gap={4} align="flex-start">
      <Title order={3} size="h5">
        {texts.app.title}
      </Title>
      <Text>{isOn ? texts.app.on : texts.app.off}</Text>
      {isOn ? (
        <Button variant="default" aria-label={texts.app.turnOffLabel} onClick={() => setAsked('turn-off')}>
          {texts.app.turnOff}
        </Button>
      ) : (
        <Button onClick={() => setAsked('set-up')}>{texts.app.setUp}</Button>
      )}
      {asked === 'set-up' && <SetUpApp onClose={() => setAsked(undefined)} onCodes={onCodes} />}
      <Confirm
        opened={asked === 'turn-off'}
        onClose={() => setAsked(undefined)}
        title={texts.app.turnOffTitle}
        action={texts.app.turnOff}
        mutation={turnOff}
        onConfirm={() => turnOff.mutate({})}
      >
        <Text>{texts.app.consequence}</Text>
      </Confirm>
    </Stack>
  )
}

function RecoveryCodes({ factors, onCodes }: { factors: Factors; onCodes: ShowCodes }) {
  const [isAsking, setAsking] = useState(false)
  const renew = useChange('renewRecoveryCodes', {
    onSuccess({ recoveryCodes }) {
      setAsking(false)
      onCodes(recoveryCodes)
    },
  })
  return (
    <Stack gap={4} align="flex-start">
      <Title order={3} size="h5">
        {texts.codes.title}
      </Title>
      <Text>{format(texts.codes.left, { count: factors.recoveryCodes })}</Text>
      <Text c="dimmed" size="sm">
        {texts.codes.hint}
      </Text>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.codes.renew}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.codes.renewTitle}
        action={texts.codes.renew}
        color="cyan"
        mutation={renew}
        onConfirm={() => renew.mutate({})}
      >
        <Text>{texts.codes.consequence}</Text>
      </Confirm>
    </Stack>
  )
}
