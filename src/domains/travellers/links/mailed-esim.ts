import type { MailedEsim } from '../../messages/mail/mail.ts';
import { formatsOf, type Language, languages } from '../../messages/texts/texts.ts';
import type { SharedEsim } from './shared-esim.ts';

/** An eSIM as the mail that brings its page shows it: as the page itself does. `titleOf` knows places that are neither a country nor one of our regions. */
export function mailedEsim(
  { countryCode, productTitle, refills, isUnlimited, planMb, day, esim, isTest }: Omit<SharedEsim, 'takesRefills'>,
  language: Language,
  titleOf: (code: string) => string | undefined,
): MailedEsim {
  const formats = formatsOf(language);
  const { activationCode, confirmationCode } = esim;
  return {
    place: formats.place(countryCode) ?? titleOf(countryCode) ?? countryCode,
    title: refills === 0 ? productTitle : null,
    data: isUnlimited ? languages[language].unlimited : formats.data(planMb),
    days: formats.days(day),
    ...{ activationCode, confirmationCode, isTest },
  };
}
