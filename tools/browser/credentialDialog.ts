import type { Locator, Page } from 'playwright-core';
import { pollUntil } from '../n8n/poll';
import { testId } from './testId';

/** The dialog in which a credential is made and changed. */
export class CredentialDialog {
	private readonly dialog: Locator;
	private readonly name: Locator;

	constructor(
		private readonly page: Page,
		private readonly closesWhenTheTestSucceeds: boolean,
	) {
		this.dialog = page.locator(testId('editCredential-modal'));
		this.name = this.dialog.locator(testId('credential-name'));
	}

	/** A new credential has no name until n8n has found one, and cannot be saved before. */
	async isOpen(): Promise<void> {
		await this.name.filter({ hasText: /\S/ }).waitFor();
	}

	async fill(field: string, value: string): Promise<void> {
		await this.dialog.locator(`${testId(`parameter-input-${field}`)} input`).fill(value);
	}

	/** Chooses from a list by what a person reads there. */
	async choose(field: string, option: string): Promise<void> {
		await this.dialog.locator(testId(`parameter-input-${field}`)).click();
		await this.page
			.locator(`${testId('parameter-input-item')}:visible`)
			.filter({ hasText: option })
			.click();
	}

	/** Types its name into the title. */
	async rename(name: string): Promise<void> {
		await this.name.click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.type(name);
		await this.page.keyboard.press('Enter');
	}

	async labels(): Promise<string[]> {
		return await this.dialog.locator('label').allInnerTexts();
	}

	/** Saves and waits until n8n says that the connection works. */
	async saveWorking(): Promise<void> {
		if (this.closesWhenTheTestSucceeds) {
			await this.saveAndLeave();
			await this.page.locator(testId('credential-edit-button')).click();
		} else {
			await this.save();
		}
		await this.dialog.getByText('Connection tested successfully').waitFor();
	}

	/**
	 * Saves, and waits until the dialog has closed, as the newest n8n does when all is well, and the
	 * node has the credential: while n8n is busy, it keeps its former one a little longer.
	 */
	async saveAndLeave(): Promise<void> {
		const name = await this.name.innerText();
		await this.save();
		await this.dialog.waitFor({ state: 'detached' });
		const chosen = this.page.locator(`${testId('node-credentials-select')} input`);
		const isChosen = async () => (await chosen.inputValue()) === name.trim() || undefined;
		const what = `the node to have the credential "${name}"`;
		await pollUntil(isChosen, { what });
	}

	/** Saves, waits until n8n says that the connection does not work, and gives all that it says. */
	async saveBroken(): Promise<string> {
		await this.save();
		await this.dialog.getByText('Couldn’t connect with these settings').waitFor();
		await this.dialog.getByText('More details').click();
		await this.dialog.getByText('More details').waitFor({ state: 'hidden' });
		return await this.dialog.innerText();
	}

	private async save(): Promise<void> {
		await this.dialog.locator(testId('credential-save-button')).click();
	}
}
