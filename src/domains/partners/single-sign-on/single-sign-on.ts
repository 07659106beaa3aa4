/** Who people are at issuers of single sign-on: operators at one, the members of each partner at another. */
export { memberIdentities, operatorIdentities } from './identities.ts';
export { ssoProviders, type WantedProvider } from './providers.ts';
