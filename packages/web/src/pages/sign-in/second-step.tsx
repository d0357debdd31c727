import { Anchor } from '@mantine/core'
import type { Proof, SecondFactorNeeded, SignInAnswer } from '@plantroom/contract/api'
import { api } from '../../api/service.ts'
import { useSignIn } from '../../api/use-session.ts'
import { ProofForm } from '../../parts/proof-form.tsx'
import { proof as texts } from '../../texts/factors.ts'

/** The second step of a sign-in. */
export function SecondStep({
  question,
  complete = (body) => api.completeSignIn({ body }),
  onDone,
  onStartAgain,
}: {
  question: SecondFactorNeeded['secondFactor']
  complete?: (proof: Proof) => Promise<SignInAnswer>
  onDone?: () => void
  onStartAgain: () => void
}) {
  const signIn = useSignIn(async (prove: () => Promise<Proof>) => complete(await prove()))
  return (
    <ProofForm
      question={question}
      action={texts.continue}
      failed={texts.failed}
      mutation={signIn}
      onProve={(prove) => signIn.mutate(prove, { onSuccess: onDone })}
      end={
        <Anchor component="button" type="button" size="sm" onClick={onStartAgain}>
          {texts.startAgain}
        </Anchor>
      }
    />
  )
}
