import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, freshCheck } from '../api/service.ts'
import { useOperation } from '../api/use-operation.ts'
import { Modal } from '../parts/dialogs.tsx'
import { QueryView } from '../parts/notices.tsx'
import { ProofForm } from '../parts/proof-form.tsx'
import { proof as texts } from '../texts/factors.ts'

/** Asks for the password or a factor when an action needs a recent proof. The action then continues. */
export function FreshCheckDialog() {
  return (
    <Modal
      opened
      onClose={() => freshCheck.finish(false)}
      title={texts.freshTitle}
      centered
      // Above the dialog of the action that waits.
      zIndex={400}
      closeOnClickOutside={false}
    >
      <FreshCheckForm />
    </Modal>
  )
}

function FreshCheckForm() {
  // Each question for a passkey is answered once.
  const once = { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false }
  const question = useOperation('startVerification', {}, once)
  const verify = useMutation({
    mutationFn: async (prove: () => Promise<object>) => api.verifySession({ body: await prove() }),
    onSuccess: () => freshCheck.finish(true),
    onError: () => question.refetch(),
  })
  return (
    <Stack>
      <Text>{texts.freshLead}</Text>
      <QueryView query={question}>
        {(asked) =>
          asked.methods.length === 0 ? (
            <Text>{texts.signInAgain}</Text>
          ) : (
            <ProofForm
              question={asked}
              action={texts.confirm}
              failed={texts.freshFailed}
              mutation={verify}
              onProve={(prove) => verify.mutate(prove)}
            />
          )
        }
      </QueryView>
    </Stack>
  )
}
