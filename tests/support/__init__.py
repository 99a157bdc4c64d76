"""What tests share: guards, loops, fakes and servers."""
