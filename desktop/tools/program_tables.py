"""What well-known programs do, as sets of names: for telling people, never for letting something run.

A name that stands in no set is reported as unknown.
"""


def names_of(*lines: str) -> frozenset[str]:
    """Return the names that stand in the lines."""
    return frozenset(name for line in lines for name in line.split())


DELETING = names_of(
    "rm rmdir unlink shred srm wipe wipefs mkfs fdisk sfdisk cfdisk parted mkswap dropdb dropuser trash"
)
WRITING = names_of(
    "tee cp mv install ln link mkdir touch truncate mkfifo mknod split csplit patch unzip gzip gunzip bzip2 bunzip2 xz",
    "unxz zstd unzstd zip 7z 7za rar unrar cpio ar pax sponge fallocate mktemp dos2unix iconv convert magick ffmpeg pandoc",
    "sqlite3 psql mysql mongosh redis-cli xclip xsel wl-copy pbcopy defaults gsettings dconf update-desktop-database",
)
NETWORK = names_of(
    "curl wget ssh scp sftp nc ncat netcat socat telnet ftp lftp tftp aria2c http https httpie xh ping ping6 traceroute",
    "dig nslookup host whois nmap masscan mail mailx mutt sendmail msmtp swaks links lynx w3m elinks yt-dlp youtube-dl",
    "rclone s3cmd aws gcloud gsutil az gh glab hub doctl heroku fly kubectl helm terraform tofu ansible ansible-playbook",
    "vagrant ollama huggingface-cli hf adb mosquitto_pub mosquitto_sub websocat wscat cloudflared ngrok tailscale tor torify",
    "openvpn wg dhclient arp ip ifconfig ssh-copy-id ssh-keyscan rsh rlogin svn hg bzr cvs speedtest smbclient ldapsearch",
)
PACKAGE_MANAGERS = names_of(
    "apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk brew port snap flatpak nix nix-env emerge choco winget scoop",
)
LANGUAGE_PACKAGES = names_of(
    "pip pipx uv poetry pdm conda mamba npm yarn pnpm bun gem bundle composer cpan cabal stack luarocks"
)
PRIVILEGE = names_of(
    "sudo su doas pkexec runuser chmod chown chgrp setcap setfacl visudo passwd chpasswd useradd userdel usermod groupadd",
    "groupmod adduser deluser gpasswd chsh chfn mount umount losetup swapon swapoff modprobe insmod rmmod sysctl iptables",
    "nft ufw firewall-cmd systemctl service launchctl crontab at batch chroot nsenter unshare capsh setpriv chattr",
    "update-alternatives ldconfig hostnamectl timedatectl localectl loginctl dscl spctl csrutil xattr setenforce semanage",
    "reg regedit sc schtasks netsh icacls takeown bcdedit newgrp sg dmsetup cryptsetup lvm efibootmgr grub-install",
)
SYSTEM_ENDING = names_of("shutdown reboot poweroff halt init telinit")
PROCESS_ENDING = names_of("kill pkill killall xkill skill")
SHELLS = names_of("sh bash dash zsh ksh mksh ash rbash csh tcsh fish")
INTERPRETERS = names_of(
    "python pypy perl ruby node nodejs deno php lua luajit tclsh wish expect osascript pwsh powershell cmd wscript cscript",
    "mshta r rscript julia guile sbcl clisp racket ghci runghc ocaml erl escript elixir iex swift scala groovy jshell java",
    "kotlin dotnet gdb lldb octave sage m4 bc dc irb pry ipython jupyter ts-node tsx nim crystal jrunscript rundll32",
)
STARTING_OTHERS = names_of(
    "make gmake cmake ninja meson just rake ant mvn gradle gradlew bazel buck cargo go npx uvx pnpx bunx tox nox pytest jest",
    "vitest mocha ctest pre-commit act docker podman nerdctl buildah skopeo docker-compose screen tmux byobu script vi vim",
    "nvim view ex ed emacs nano pico code subl open xdg-open start gio gtk-launch less more man git-shell run-parts",
    "flatpak-spawn systemd-run wine qemu bwrap firejail entr inotifywait fswatch parallel watch tclsh logrotate rustc gcc cc",
)
BACKGROUND = names_of(
    "nohup setsid disown screen tmux at batch crontab coproc daemonize start-stop-daemon systemd-run bg"
)
ENDLESS = names_of("yes stress stress-ng fallocate")
ENVIRONMENT_READERS = names_of("printenv env")
READ_ONLY = names_of(
    "ls dir vdir cat tac head tail nl wc grep egrep fgrep rg ag ack echo printf pwd date cal whoami id groups users who w uname",
    "hostname uptime cd pushd popd dirs test [ [[ true false : sleep basename dirname realpath readlink stat file du df free",
    "cut tr uniq paste join comm diff cmp rev fold fmt expand unexpand column seq shuf jq yq xxd od hexdump strings which",
    "type whereis hash expr let wait jobs return exit break continue shift local read getopts umask ulimit times tty stty",
    "clear tput ps pgrep top htop tree md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 base32",
    "lscpu lsblk lsusb lspci lsof nproc arch locale getconf numfmt factor tsort look bat eza exa fd locate apropos whatis",
    "help history fc export declare typeset readonly unset set shopt enable builtin command echo zcat bzcat xzcat zgrep",
    "sort find sed awk gawk mawk nawk git tar rsync dd xargs eval exec source . trap alias unalias time timeout nice ionice",
    "stdbuf busybox strace ltrace flock fakeroot mapfile readarray caller compgen complete getent sw_vers pbpaste",
)
"""Programs that only look, and those whose options decide (they have rules of their own)."""

WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    "sudo": (names_of("-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir"), 0),
    "doas": (names_of("-u -C"), 0),
    "runuser": (names_of("-u -g -G"), 0),
    "pkexec": (names_of("--user"), 0),
    "env": (names_of("-u -C --unset --chdir"), 0),
    "command": (frozenset(), 0),
    "builtin": (frozenset(), 0),
    "exec": (names_of("-a"), 0),
    "nohup": (frozenset(), 0),
    "nice": (names_of("-n --adjustment"), 0),
    "ionice": (names_of("-c -n -p --class"), 0),
    "time": (names_of("-f -o --format --output"), 0),
    "timeout": (names_of("-s -k --signal --kill-after"), 1),
    "stdbuf": (names_of("-i -o -e"), 0),
    "setsid": (frozenset(), 0),
    "coproc": (frozenset(), 0),
    "busybox": (frozenset(), 0),
    "xargs": (names_of("-I -i -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file --replace"), 0),
    "watch": (names_of("-n --interval"), 0),
    "strace": (names_of("-o -e -p -s -u"), 0),
    "ltrace": (names_of("-o -e -p -s -u"), 0),
    "flock": (names_of("-w -E --timeout"), 1),
    "chroot": (names_of("--userspec --groups"), 1),
    "unshare": (frozenset(), 0),
    "nsenter": (names_of("-t --target"), 0),
    "fakeroot": (frozenset(), 0),
    "parallel": (names_of("-j --jobs"), 0),
    "systemd-run": (names_of("-p --unit --property"), 0),
    "torify": (frozenset(), 0),
    "script": (frozenset(), 0),
    "disown": (frozenset(), 0),
}
"""Programs whose arguments are another command: options that take a value, and how many words stand before it."""

GIT_NETWORK = names_of(
    "push fetch pull clone ls-remote submodule send-email request-pull svn lfs p4 fetch-pack send-pack"
)
GIT_DELETING = names_of("clean rm prune gc filter-branch filter-repo")
GIT_WRITING = names_of(
    "add commit merge rebase cherry-pick revert am apply checkout switch init mv stash tag branch config pull clone reset",
    "restore notes worktree submodule remote bisect update-index update-ref write-tree read-tree format-patch bundle archive",
    "sparse-checkout maintenance replace symbolic-ref hash-object repack pack-refs fast-import rerere fetch bugreport",
)
GIT_STARTING_OTHERS = names_of(
    "bisect difftool mergetool filter-branch instaweb web--browse gui citool daemon hook rebase"
)
GIT_READING = names_of(
    "status log diff show blame annotate grep ls-files ls-tree cat-file rev-parse describe shortlog reflog rev-list help",
    "version for-each-ref name-rev merge-base count-objects check-ignore var show-ref diff-tree diff-index diff-files fsck",
    "show-branch whatchanged cherry check-attr range-diff verify-commit verify-tag get-tar-commit-id",
)

DANGEROUS_VARIABLES = names_of(
    "PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH SHELL EDITOR VISUAL PAGER BROWSER MANPAGER LESSOPEN",
    "LESSCLOSE TERMCAP TERMINFO HOME TMPDIR HISTFILE INPUTRC MAILPATH GLOBIGNORE MANOPT XDG_CONFIG_HOME XDG_DATA_HOME",
)
DANGEROUS_VARIABLE_PREFIXES = (
    *(
        "LD_",
        "DYLD_",
        "GIT_",
        "PYTHON",
        "PERL",
        "RUBY",
        "NODE_",
        "NPM_",
        "npm_",
        "JAVA_",
        "JDK_",
        "CLASSPATH",
        "LUA_",
        "GCONV_",
    ),
    *("PIP_", "UV_", "BASH_FUNC_", "SSH_", "SUDO_", "DOCKER_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"),
    *("https_proxy", "all_proxy", "OPENSSL_", "SSL_", "CURL_", "AWK", "THREADWELL_"),
)

KNOWN: frozenset[str] = READ_ONLY.union(
    *(DELETING, WRITING, NETWORK, PACKAGE_MANAGERS, LANGUAGE_PACKAGES, PRIVILEGE, SYSTEM_ENDING, PROCESS_ENDING),
    *(SHELLS, INTERPRETERS, STARTING_OTHERS, BACKGROUND, ENDLESS, ENVIRONMENT_READERS, frozenset(WRAPPERS)),
)
