import { Image, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { renderSVG } from 'uqr'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { FormEnd } from '../../parts/dialog-form.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { QueryView } from '../../parts/notices.tsx'
import { CopyField } from '../../parts/shown-once.tsx'
import { factors } from '../../texts/factors.ts'

const texts = factors.app

/** Shows the secret for an authenticator app once, and turns it on with a first code. */
export function SetUpApp({ onClose, onCodes }: { onClose: () => void; onCodes: (codes: readonly string[]) => void }) {
  // A second request would replace the secret that the app has already scanned.
  const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchInterval: false } as const
  const started = useOperation('startTotp', {}, once)
  const [code, setCode] = useState('')
  const confirm = useChange('confirmTotp', {
    onSuccess({ recoveryCodes }) {
      onClose()
      if (recoveryCodes) onCodes(recoveryCodes)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate({ body: { code } })
  }
  return (
    <Modal opened onClose={onClose} title={texts.dialog}>
      <QueryView query={started}>
        {({ secret, uri }) => (
          <form onSubmit={submit}>
            <Stack>
              <Text>{texts.scan}</Text>
              <Image
                src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`}
                alt={texts.qr}
                w={200}
                h={200}
                mx="auto"
              />
              <CopyField label={texts.secret} value={secret} />
              <TextInput
                label={texts.code}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
                data-autofocus
                required
                withAsterisk={false}
              />
              <FormEnd mutation={confirm} action={texts.confirm} onCancel={onClose} failed={texts.failed} />
            </Stack>
          </form>
        )}
      </QueryView>
    </Modal>
  )
}
