/** Who people are at issuers of single sign-on: operators at one, the members of each partner at another. */
export { operatorIdentities } from './operator-identities.ts';
